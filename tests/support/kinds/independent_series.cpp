#include "fovea/tests/support/kinds/independent_series.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::support::kinds {

namespace {

constexpr double kForgotten = 1e-9;
constexpr double kLongestStart = 1e5;  // steps; more than that is not waited for

/// t = Z / sqrt(chi^2 / n), with chi^2 as a sum of n squares (Student 1908).
double student_shock(const Random& random, int degrees, std::uint64_t entity, std::uint64_t step) {
  const double normal = random.normal(entity, step);
  if (degrees == 0) return normal;
  const Random squares = random.stream("chi squared");
  double sum = 0;
  for (int k = 0; k < degrees; ++k) {
    const double each =
        squares.normal(entity * static_cast<std::uint64_t>(degrees) + static_cast<std::uint64_t>(k), step);
    sum += each * each;
  }
  return normal / std::sqrt(sum / degrees);
}

/// Steps until a^n is forgotten.
Index steps_to_forget(double autocorrelation) {
  if (autocorrelation == 0) return 0;
  return static_cast<Index>(
      std::min(kLongestStart, std::ceil(std::log(kForgotten) / std::log(std::abs(autocorrelation)))));
}

}  // namespace

datasets::series::SeriesTable independent_series(const IndependentSeriesPlan& plan, const Random& random) {
  require(plan.series >= 1 && plan.steps >= 1, "independent series: there are ", plan.series, " of ", plan.steps,
          " steps; both numbers must be >= 1.");
  require(std::abs(plan.autocorrelation) < 1, "independent series: the autocorrelation is ", plan.autocorrelation,
          "; it must be in (-1, 1).");
  require(plan.degrees >= 0, "independent series: the shocks have ", plan.degrees,
          " degrees of freedom; use 0 for normal.");
  datasets::series::SeriesTable table;
  table.values.resize(plan.steps, plan.series);
  const Random shocks = random.stream("shocks");
  const Index before = steps_to_forget(plan.autocorrelation);
  for (Index s = 0; s < plan.series; ++s) {
    table.names.push_back(concat("x", s + 1));
    double x = 0;
    for (Index t = 0; t < before + plan.steps; ++t) {
      x = plan.autocorrelation * x +
          student_shock(shocks, plan.degrees, static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(t));
      if (t >= before) table.values(t - before, s) = x;
    }
  }
  return table;
}

}  // namespace fovea::support::kinds
