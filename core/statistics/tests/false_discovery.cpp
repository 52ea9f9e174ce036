#include "fovea/core/statistics/tests/false_discovery.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

std::vector<std::size_t> ranked_order(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

}  // namespace

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  for (const double value : p)
    require(value >= 0 && value <= 1, "benjamini_hochberg: a p-value is ", value, ", but must be in [0, 1].");
  const std::vector<std::size_t> order = ranked_order(p);
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t rank = p.size(); rank-- > 0;) {
    const double rate = p[order[rank]] * (static_cast<double>(p.size()) / static_cast<double>(rank + 1));
    least = std::min(least, rate);
    q[order[rank]] = least;
  }
  return q;
}

std::vector<double> log10_benjamini_hochberg(std::span<const double> log10_p) {
  for (const double value : log10_p)
    require(value <= 0, "log10_benjamini_hochberg: a value is ", value, ", but must be at most 0.");
  const std::vector<std::size_t> order = ranked_order(log10_p);
  std::vector<double> q(log10_p.size());
  double least = 0;
  for (std::size_t rank = order.size(); rank-- > 0;) {
    const double tests = static_cast<double>(order.size()) / static_cast<double>(rank + 1);
    least = std::min(least, log10_p[order[rank]] + std::log10(tests));
    q[order[rank]] = least;
  }
  return q;
}

}  // namespace fovea
