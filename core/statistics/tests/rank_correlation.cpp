#include "fovea/core/statistics/tests/rank_correlation.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

std::vector<double> ranks(std::span<const double> values) {
  for (const double value : values) require(!std::isnan(value), "ranks: NaN has none.");
  const std::vector<std::uint32_t> order = ascending_order(values);
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double shared = 0.5 * static_cast<double>(first + 1 + end);
    for (; first < end; ++first) result[order[first]] = shared;
  }
  return result;
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size() && a.size() >= 2, "rank_correlation: ", a.size(), " and ", b.size(),
          " values; both sides must have the same number, at least 2.");
  const std::vector<double> ranks_a = ranks(a), ranks_b = ranks(b);
  const double middle = 0.5 * static_cast<double>(a.size() + 1);
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = ranks_a[i] - middle, y = ranks_b[i] - middle;
    product += x * y, square_a += x * x, square_b += y * y;
  }
  return square_a > 0 && square_b > 0 ? product / std::sqrt(square_a * square_b) : kNan;
}

}  // namespace fovea
