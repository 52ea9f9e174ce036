#include "fovea/core/statistics/tests/false_discovery.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea {

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  for (const double value : p)
    require(value >= 0 && value <= 1, "benjamini_hochberg: a p-value is ", value, ", but must be in [0, 1].");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t rank = p.size(); rank-- > 0;) {
    const double rate = p[order[rank]] * (static_cast<double>(p.size()) / static_cast<double>(rank + 1));
    least = std::min(least, rate);
    q[order[rank]] = least;
  }
  return q;
}

}  // namespace fovea
