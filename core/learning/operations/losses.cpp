#include "fovea/core/learning/losses.hpp"

#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/weighted_loss.hpp"

namespace fovea::learning {

namespace {

/// f(x) and f'(x) of every entry; rows that are masked are not looked at later.
template <typename Real>
struct Values {
  const Real* values;
  const Real* slopes;
};
template <typename Real>
Values<Real> values_of(const Variable<Real>& x, typename LearningKernels<Real>::Pointwise function) {
  Real *const values = x.tape().room(x.size()), *const slopes = x.tape().room(x.size());
  function(x.data(), x.size(), values, slopes);
  return {values, slopes};
}

/// f(x) - target x, with f' - target
template <typename Real>
Variable<Real> loss_beside_line(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights,
                                Real total, typename LearningKernels<Real>::Pointwise function) {
  const auto f = values_of(x, function);
  return loss_of_entries(x, weights, total, [&](Index k, Real& slope) {
    const Real target = targets.data()[k];
    slope = f.slopes[k] - target;
    return static_cast<double>(f.values[k]) - static_cast<double>(target) * static_cast<double>(x.data()[k]);
  });
}

}  // namespace

template <typename Real>
Variable<Real> squared_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total) {
  check_loss("squared_loss", x, weights, total);
  check_targets("squared_loss", x, targets);
  return loss_of_entries(x, weights, total, [&](Index k, Real& slope) {
    const Real error = x.data()[k] - targets.data()[k];
    slope = 2 * error;
    return static_cast<double>(error) * static_cast<double>(error);
  });
}

template <typename Real>
Variable<Real> logistic_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total) {
  check_loss("logistic_loss", x, weights, total);
  check_targets("logistic_loss", x, targets);
  return loss_beside_line(x, targets, weights, total, learning_kernels<Real>().softplus);
}

template <typename Real>
Variable<Real> poisson_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total) {
  check_loss("poisson_loss", x, weights, total);
  check_targets("poisson_loss", x, targets);
  return loss_beside_line(x, targets, weights, total, learning_kernels<Real>().exp);
}

template <typename Real>
Variable<Real> quantile_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> levels,
                             std::span<const Real> weights, Real total) {
  check_loss("quantile_loss", x, weights, total);
  check_targets("quantile_loss", x, targets);
  require(static_cast<Index>(levels.size()) == x.columns(), "quantile_loss: there are ", levels.size(), " levels for ",
          x.columns(), " columns; each column needs one.");
  for (const Real level : levels)
    require(level > 0 && level < 1, "quantile_loss: a level is ", level, ", but must be in (0, 1).");
  return loss_of_entries(x, weights, total, [&, columns = x.columns()](Index k, Real& slope) {
    const Real level = levels[k % columns], rest = targets.data()[k] - x.data()[k];
    slope = rest < 0 ? Real(1) - level : -level;
    return static_cast<double>(rest) * -static_cast<double>(slope);
  });
}

namespace {

/// The weights of an example: fractions, and rows that are masked.
template <typename Real>
std::span<const Real> example_weights(Tape<Real>& tape, Index rows) {
  Real* const weights = tape.room(rows);
  for (Index i = 0; i < rows; ++i) weights[i] = static_cast<Real>(i % 4) / 2;
  return {weights, static_cast<std::size_t>(rows)};
}

template <typename Real>
std::vector<Matrix<Real>> three_columns(const OperationExample& example) {
  return {example_matrix<Real>(example.tokens(), 3, 1, -2, 2)};
}

template <typename Real, auto Loss>
Variable<Real> try_loss(std::span<const Variable<Real>> in, const OperationExample&) {
  Tape<Real>& tape = in[0].tape();
  const Matrix<Real>& targets = kept_example(tape, example_matrix<Real>(in[0].rows(), 3, 4, 0, 1));
  return Loss(in[0], targets, example_weights(tape, in[0].rows()), Real(7));
}

}  // namespace

template <typename Real>
OperationEntry<Real> squared_loss_entry() {
  return {"squared_loss",       "sum_c (x_c - target_c)^2",           "",
          &three_columns<Real>, &try_loss<Real, &squared_loss<Real>>, false};
}

template <typename Real>
OperationEntry<Real> logistic_loss_entry() {
  return {"logistic_loss",      "sum_c log(1 + e^x) - target x",       "",
          &three_columns<Real>, &try_loss<Real, &logistic_loss<Real>>, false};
}

template <typename Real>
OperationEntry<Real> poisson_loss_entry() {
  return {"poisson_loss", "sum_c e^x - target x", "", &three_columns<Real>, &try_loss<Real, &poisson_loss<Real>>,
          false};
}

template <typename Real>
OperationEntry<Real> quantile_loss_entry() {
  return {"quantile_loss",
          "sum_c max(level r, (level - 1) r), r = target - x",
          "Koenker & Bassett 1978",
          &three_columns<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            static constexpr Real kLevels[] = {Real(0.1), Real(0.5), Real(0.75)};
            Tape<Real>& tape = in[0].tape();
            const Matrix<Real>& targets = kept_example(tape, example_matrix<Real>(in[0].rows(), 3, 4));
            return quantile_loss(in[0], targets, std::span<const Real>(kLevels), example_weights(tape, in[0].rows()),
                                 Real(7));
          },
          false};
}

#define FOVEA_LOSSES(Real)                                                                                 \
  template Variable<Real> squared_loss(Variable<Real>, const Matrix<Real>&, std::span<const Real>, Real);  \
  template Variable<Real> logistic_loss(Variable<Real>, const Matrix<Real>&, std::span<const Real>, Real); \
  template Variable<Real> poisson_loss(Variable<Real>, const Matrix<Real>&, std::span<const Real>, Real);  \
  template Variable<Real> quantile_loss(Variable<Real>, const Matrix<Real>&, std::span<const Real>,        \
                                        std::span<const Real>, Real);
FOVEA_LOSSES(float)
FOVEA_LOSSES(double)
FOVEA_OPERATION_ENTRY(logistic_loss)
FOVEA_OPERATION_ENTRY(poisson_loss)
FOVEA_OPERATION_ENTRY(quantile_loss)
FOVEA_OPERATION_ENTRY(squared_loss)

}  // namespace fovea::learning
