#pragma once
/// What the scores that depend on q - k share.

#include <span>

#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/kernels/panel.hpp"

namespace fovea {

/// For scores with ds_ij/dq_i = h_ij (k_j - q_i) / g_ij and ds_ij/dk_j the opposite:
///   dq_i += sum_j h_ij (k_j - q_i),   dk_j += sum_i h_ij (q_i - k_j)
/// A gradient with no rows is not wanted.
template <typename Real>
void add_difference_gradients(const MatrixView<Real>& queries, const Panel<Real>& keys, const ScoreTile<Real>& h,
                              Eigen::Ref<Matrix<Real>> query_gradient, Eigen::Ref<Matrix<Real>> key_gradient) {
  const Kernels<Real>& kernel = kernels<Real>();
  const Index n = h.key_count;
  static thread_local std::vector<Real> sums;
  if (key_gradient.rows() > 0) sums.assign(static_cast<std::size_t>(n * keys.columns()), Real(0));
  for (Index i = 0; i < h.query_count; ++i)
    for (Index c = 0; c < keys.columns(); ++c) {
      const Real q = queries(h.query(i), c);
      if (query_gradient.rows() > 0)
        query_gradient(h.query(i), c) += kernel.difference_dot(h.row(i), keys.column(c), q, n);
      if (key_gradient.rows() > 0) kernel.add_differences(sums.data() + c * n, h.row(i), keys.column(c), q, n);
    }
  if (key_gradient.rows() > 0) add_panel<Real>(sums, h, key_gradient);
}

}  // namespace fovea
