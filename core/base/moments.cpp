#include "fovea/core/base/moments.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea {

namespace {}  // namespace

Moments moments(std::span<const double> values) {
  require(!values.empty(), "moments: there are no values; at least one is needed.");
  const auto count = static_cast<double>(values.size());
  Moments result;
  for (const double x : values) result.mean += x;
  result.mean /= count;
  double second = 0, third = 0, fourth = 0;
  for (const double x : values) {
    const double d = x - result.mean;
    second += d * d;
    third += d * d * d;
    fourth += d * d * d * d;
  }
  result.variance = second / count;
  const bool spread = result.variance > 0;
  result.skewness = spread ? third / count / std::pow(result.variance, 1.5) : kNan;
  result.kurtosis = spread ? fourth / count / (result.variance * result.variance) : kNan;
  return result;
}

MeanWithError mean_with_error(std::span<const double> values) {
  MeanWithError result;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    result.mean += x;
    ++result.count;
  }
  if (result.count == 0) return {kNan, kNan, 0};
  result.mean /= result.count;
  if (result.count == 1) return result;
  double squares = 0;
  for (const double x : values)
    if (!std::isnan(x)) squares += (x - result.mean) * (x - result.mean);
  result.error = std::sqrt(squares / (result.count - 1) / result.count);
  return result;
}

double sorted_quantile(std::span<const double> sorted, double p) {
  require(!sorted.empty(), "sorted_quantile: there are no values; at least one is needed.");
  require(p >= 0.0 && p <= 1.0, "sorted_quantile: p = ", p, ", but a probability lies in [0, 1].");
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

}  // namespace fovea
