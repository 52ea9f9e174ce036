#include "fovea/core/statistics/tests/false_discovery.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  for (const double value : p)
    require(value >= 0 && value <= 1, "benjamini_hochberg: a p-value is ", value, ", but must be in [0, 1].");
  const std::vector<std::uint32_t> order = ascending_order(p);
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
  const std::vector<std::uint32_t> order = ascending_order(log10_p);
  std::vector<double> q(log10_p.size());
  double least = 0;
  for (std::size_t rank = order.size(); rank-- > 0;) {
    const double tests = static_cast<double>(order.size()) / static_cast<double>(rank + 1);
    least = std::min(least, log10_p[order[rank]] + std::log10(tests));
    q[order[rank]] = least;
  }
  return q;
}

namespace {

/// Of a test with the adjusted p-value `a` in its group: the least q with q R(q) / G >= a, where R(q) groups are
/// discovered at level q. by_rank: their q-values, ascending.
double least_rate(double a, const std::vector<double>& by_rank) {
  const auto groups = static_cast<double>(by_rank.size());
  const auto beside = [&](std::size_t rank) { return a + std::log10(groups / static_cast<double>(rank)); };
  // With each further group what the test needs beside so many falls, and the q at which there are so many rises.
  std::size_t low = 0, high = by_rank.size();  // the first rank from which the latter decides
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (by_rank[middle] >= beside(middle + 1))
      high = middle;
    else
      low = middle + 1;
  }
  double q = low < by_rank.size() ? by_rank[low] : 0.0;
  if (low > 0) q = std::min(q, beside(low));
  return std::min(q, 0.0);
}

}  // namespace

std::vector<double> log10_grouped_discovery(std::span<const double> log10_p, std::span<const std::size_t> group) {
  require(log10_p.size() == group.size(), "log10_grouped_discovery: ", log10_p.size(), " p-values, but ", group.size(),
          " groups.");
  if (group.empty()) return {};
  // The tests of group g: places[ends[g - 1]] to places[ends[g]].
  std::vector<std::size_t> ends(*std::max_element(group.begin(), group.end()) + 2), places(group.size());
  for (const std::size_t one : group) ++ends[one + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (std::size_t k = 0; k < group.size(); ++k) places[ends[group[k]]++] = k;
  ends.pop_back();
  std::vector<double> adjusted(log10_p.size()), simes(ends.size()), p;
  for (std::size_t g = 0, first = 0; g < ends.size(); first = ends[g++]) {
    require(first < ends[g], "log10_grouped_discovery: group ", g, " has no test.");
    p.clear();
    for (std::size_t k = first; k < ends[g]; ++k) p.push_back(log10_p[places[k]]);
    const std::vector<double> within = log10_benjamini_hochberg(p);
    for (std::size_t k = first; k < ends[g]; ++k) adjusted[places[k]] = within[k - first];
    simes[g] = *std::min_element(within.begin(), within.end());
  }
  std::vector<double> by_rank = log10_benjamini_hochberg(simes);
  std::sort(by_rank.begin(), by_rank.end());
  for (double& a : adjusted) a = least_rate(a, by_rank);
  return adjusted;
}

}  // namespace fovea
