#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/weighted_loss.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> cross_entropy_loss(Variable<Real> x, std::span<const Index> classes, std::span<const Real> weights,
                                  Real total) {
  check_loss("cross_entropy_loss", x, weights, total);
  require(static_cast<Index>(classes.size()) == x.rows(), "cross_entropy_loss: there are ", classes.size(),
          " classes for ", x.rows(), " rows; each row needs one.");
  const Index columns = x.columns();
  Real* const room = x.tape().room(columns);
  return weighted_loss(x, weights, total, [&](Index i, Real* slopes) {
    const Index mine = classes[static_cast<std::size_t>(i)];
    require(mine >= 0 && mine < columns, "cross_entropy_loss: row ", i, " has class ", mine, ", but there are ",
            columns, " logits; a class must be in [0, ", columns, ").");
    const Real* const logits = x.data() + i * columns;
    Real* const probabilities = slopes ? slopes : room;  // of which the slopes come
    const Real top = kernels<Real>().maximum(logits, columns);
    const Real sum = kernels<Real>().exponentials(logits, columns, top, probabilities);
    if (slopes) {
      learning_kernels<Real>().scale(slopes, Real(1) / sum, 0, columns, slopes);
      slopes[mine] -= Real(1);
    }
    return static_cast<double>(logarithm(sum)) + (static_cast<double>(top) - static_cast<double>(logits[mine]));
  });
}

template <typename Real>
OperationEntry<Real> cross_entropy_loss_entry() {
  return {"cross_entropy_loss",
          "log sum_c e^(x_c) - x_class",
          "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1, -3, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const Index rows = example.tokens();
            const auto count = static_cast<std::size_t>(rows);
            const std::span<Index> classes(in[0].tape().index_room(rows), count);
            const std::span<Real> weights(in[0].tape().room(rows), count);
            for (std::size_t i = 0; i < count; ++i) {
              weights[i] = static_cast<Real>(i % 4) / 2;
              classes[i] = i % 4 == 0 ? -5 : static_cast<Index>(i * 7) % kExampleColumns;  // of a masked row: anything
            }
            return cross_entropy_loss(in[0], std::span<const Index>(classes), std::span<const Real>(weights), Real(7));
          },
          false};
}

#define FOVEA_CROSS_ENTROPY(Real) \
  template Variable<Real> cross_entropy_loss(Variable<Real>, std::span<const Index>, std::span<const Real>, Real);
FOVEA_CROSS_ENTROPY(float)
FOVEA_CROSS_ENTROPY(double)
FOVEA_OPERATION_ENTRY(cross_entropy_loss)

}  // namespace fovea::learning
