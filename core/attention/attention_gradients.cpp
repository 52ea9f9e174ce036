#include "fovea/core/attention/attend.hpp"

namespace fovea {

template <typename Real>
AttentionGradients<Real> attend_backward(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                         const MatrixInput<Real>& values, const AttentionSpec<Real>& spec,
                                         const AttentionResult<Real>& forward, const MatrixInput<Real>& output_gradient,
                                         const Matrix<Real>& draw_costs) {
  AttentionGradients<Real> gradients;
  attend_backward_into(gradients, queries, keys, values, spec, forward, output_gradient, draw_costs);
  return gradients;
}

template <typename Real>
void attend_backward_into(AttentionGradients<Real>& gradients, const MatrixInput<Real>& queries,
                          const MatrixInput<Real>& keys, const MatrixInput<Real>& values,
                          const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward,
                          const MatrixInput<Real>& output_gradient, const Matrix<Real>& draw_costs) {
  using Places = GradientPlaces<Real>;
  gradients.queries.resize(queries.rows(), queries.cols());
  gradients.keys.resize(keys.rows(), keys.cols());
  gradients.values.resize(values.rows(), values.cols());
  attend_backward_at<Real>(
      {Places::place(gradients.queries), Places::place(gradients.keys), Places::place(gradients.values)}, gradients,
      queries, keys, values, spec, forward, output_gradient, draw_costs);
}

#define FOVEA_GRADIENTS(Real)                                                                                       \
  template AttentionGradients<Real> attend_backward(                                                                \
      const MatrixInput<Real>&, const MatrixInput<Real>&, const MatrixInput<Real>&, const AttentionSpec<Real>&,     \
      const AttentionResult<Real>&, const MatrixInput<Real>&, const Matrix<Real>&);                                 \
  template void attend_backward_into(AttentionGradients<Real>&, const MatrixInput<Real>&, const MatrixInput<Real>&, \
                                     const MatrixInput<Real>&, const AttentionSpec<Real>&,                          \
                                     const AttentionResult<Real>&, const MatrixInput<Real>&, const Matrix<Real>&);
FOVEA_GRADIENTS(float)
FOVEA_GRADIENTS(double)

}  // namespace fovea
