#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random_math.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"

namespace fovea::learning {

namespace {

/// cos(2 pi (frequency t + phase)) and its derivative by the turns; in double, because t may be large.
struct Wave {
  double value, slope;
};
Wave wave(double frequency, double phase, double t) {
  const double turns = frequency * t + phase, part = turns - std::floor(turns);
  const double quarter_on = part + 0.25;
  return {cosine_of_turn(part), 2 * std::numbers::pi * cosine_of_turn(quarter_on - std::floor(quarter_on))};
}

}  // namespace

template <typename Real>
Variable<Real> time_features(Variable<Real> frequency, Variable<Real> phase, std::span<const double> times) {
  const Index rows = static_cast<Index>(times.size()), columns = frequency.columns();
  require(frequency.rows() == 1 && phase.rows() == 1 && phase.columns() == columns,
          "time_features: frequencies and phases must be two rows of the same length.");
  const Variable<Real> y = frequency.tape().result(rows, columns, {frequency, phase});
  for (Index i = 0; i < rows; ++i) {
    const double t = times[i];
    for (Index c = 0; c < columns; ++c) {
      const double f = frequency.data()[c], p = phase.data()[c];
      y.data()[i * columns + c] = static_cast<Real>(c == 0 ? f * t + p : wave(f, p, t).value);
    }
  }
  frequency.tape().on_backward(y, [=] {
    const Real* const g = y.gradient();
    for (Index i = 0; i < rows; ++i) {
      const double t = times[i];
      for (Index c = 0; c < columns; ++c) {
        const double slope = c == 0 ? 1 : wave(frequency.data()[c], phase.data()[c], t).slope;
        const double to_turns = slope * static_cast<double>(g[i * columns + c]);
        if (frequency.learns()) frequency.gradient()[c] += static_cast<Real>(to_turns * t);
        if (phase.learns()) phase.gradient()[c] += static_cast<Real>(to_turns);
      }
    }
  });
  return y;
}

template <typename Real>
OperationEntry<Real> time_features_entry() {
  static const std::vector<double> times{0.0, 0.3, -1.2, 2.5};
  return {
      "time_features",
      "[f_0 t + p_0 | cos(2 pi (f_c t + p_c))]",
      "Kazemi et al. 2019",
      [](const OperationExample&) {
        return std::vector<Matrix<Real>>{example_matrix<Real>(1, 3, 1, 0.1, 0.9), example_matrix<Real>(1, 3, 2)};
      },
      [](std::span<const Variable<Real>> in, const OperationExample&) { return time_features(in[0], in[1], times); },
      false};
}

#define FOVEA_TIME_FEATURES(Real) \
  template Variable<Real> time_features(Variable<Real>, Variable<Real>, std::span<const double>);
FOVEA_TIME_FEATURES(float)
FOVEA_TIME_FEATURES(double)
FOVEA_OPERATION_ENTRY(time_features)

}  // namespace fovea::learning
