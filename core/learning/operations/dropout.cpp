#include <algorithm>
#include <cmath>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> dropout(Variable<Real> x, double rate) {
  require(rate >= 0 && rate < 1, "dropout: the rate is ", rate, ", but must be in [0, 1).");
  constexpr double kSteps = 65536;  // a kernel compares 16 random bits
  Tape<Real>& tape = x.tape();
  const std::uint64_t number = tape.next_random_operation();
  const double threshold = std::min(std::round(rate * kSteps), kSteps - 1);
  if (!tape.pass().training || threshold == 0) return x;
  const std::uint64_t key = tape.pass().random.stream("dropout").bits(number, tape.pass().step);
  Variable<Real> y = tape.result(x.rows(), x.columns(), {x});
  Real* const mask = y.learns() ? tape.room(x.size()) : nullptr;
  learning_kernels<Real>().dropout(x.data(), tape.pass().first_row * x.columns(), x.size(), key,
                                   static_cast<std::uint32_t>(threshold),
                                   static_cast<Real>(kSteps / (kSteps - threshold)), mask, y.data());
  tape.on_backward(y, [=] { pass_gradient(y, mask, x); });
  return y;
}

template <typename Real>
OperationEntry<Real> dropout_entry() {
  return {"dropout", "x / (1 - rate), or 0 with probability rate", "Srivastava et al. 2014", &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return dropout(in[0], 0.3); }};
}

template Variable<float> dropout(Variable<float>, double);
template Variable<double> dropout(Variable<double>, double);
FOVEA_OPERATION_ENTRY(dropout)

}  // namespace fovea::learning
