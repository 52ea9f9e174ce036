#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/weighted_loss.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> gaussian_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total) {
  check_loss("gaussian_loss", x, weights, total);
  require(x.columns() == 2, "gaussian_loss: x has ", x.columns(), " columns, but must have 2: mean and log variance.");
  require(targets.rows() == x.rows() && targets.cols() == 1, "gaussian_loss: the targets are ", targets.rows(), " x ",
          targets.cols(), ", but must be ", x.rows(), " x 1.");
  return weighted_loss(x, weights, total, [&](Index i, Real* slopes) {
    const Real* const row = x.data() + 2 * i;
    const Real error = row[0] - targets(i, 0), precision = exponential(-row[1]);
    if (slopes) {
      slopes[0] = error * precision;
      slopes[1] = (1 - error * error * precision) / 2;
    }
    return (static_cast<double>(row[1]) +
            static_cast<double>(error) * static_cast<double>(error) * static_cast<double>(precision)) /
           2;
  });
}

template <typename Real>
OperationEntry<Real> gaussian_loss_entry() {
  return {"gaussian_loss",
          "(v + (target - m)^2 e^-v) / 2, x = (m, v)",
          "Nix & Weigend 1994",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 2, 1, -2, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            Tape<Real>& tape = in[0].tape();
            const Index rows = in[0].rows();
            const Matrix<Real>& targets = kept_example(tape, example_matrix<Real>(rows, 1, 4));
            const std::span<Real> weights(tape.room(rows), rows);
            for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<Real>(i % 4) / 2;
            return gaussian_loss(in[0], targets, std::span<const Real>(weights), Real(7));
          },
          false};
}

#define FOVEA_GAUSSIAN_LOSS(Real) \
  template Variable<Real> gaussian_loss(Variable<Real>, const Matrix<Real>&, std::span<const Real>, Real);
FOVEA_GAUSSIAN_LOSS(float)
FOVEA_GAUSSIAN_LOSS(double)
FOVEA_OPERATION_ENTRY(gaussian_loss)

}  // namespace fovea::learning
