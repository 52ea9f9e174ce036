#include "fovea/core/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea {

namespace {

using DrawnStatistic = std::function<double(std::span<const Index> rows)>;
using GroupMembers = std::vector<std::vector<Index>>;

GroupMembers members_of_groups(Index count, std::span<const Index> groups) {
  std::map<Index, std::vector<Index>> members;
  for (Index i = 0; i < count; ++i) members[groups.empty() ? i : groups[i]].push_back(i);
  GroupMembers list;
  for (auto& [group, rows] : members) list.push_back(std::move(rows));
  return list;
}

std::vector<double> drawn_statistics(const GroupMembers& groups, const DrawnStatistic& statistic, const Random& random,
                                     Index draws) {
  std::vector<double> values;
  std::vector<Index> rows;
  for (Index draw = 0; draw < draws; ++draw) {
    rows.clear();
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const auto& drawn = groups[random.below(groups.size(), k, static_cast<std::uint64_t>(draw))];
      rows.insert(rows.end(), drawn.begin(), drawn.end());
    }
    const double value = statistic(rows);
    if (!std::isnan(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// Skewness of the jackknife's values, over 6 (Efron 1987, eq. 7.3 for the empirical influence).
double acceleration(const GroupMembers& groups, const DrawnStatistic& statistic) {
  std::vector<double> without;
  for (std::size_t left_out = 0; left_out < groups.size(); ++left_out) {
    std::vector<Index> rows;
    for (std::size_t k = 0; k < groups.size(); ++k)
      if (k != left_out) rows.insert(rows.end(), groups[k].begin(), groups[k].end());
    const double value = statistic(rows);
    if (!std::isnan(value)) without.push_back(value);
  }
  double mean = 0, squares = 0, cubes = 0;
  for (const double value : without) mean += value / static_cast<double>(without.size());
  for (const double value : without) {
    squares += (mean - value) * (mean - value);
    cubes += (mean - value) * (mean - value) * (mean - value);
  }
  return squares > 0 ? cubes / (6 * squares * std::sqrt(squares)) : 0;
}

/// The bias: the normal quantile of the share of draws below the estimate, ties half; kept finite.
double bias_of(const std::vector<double>& sorted, double estimate) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), estimate);
  const auto count = static_cast<double>(sorted.size());
  const double below = static_cast<double>(first - sorted.begin()) + 0.5 * static_cast<double>(last - first);
  return normal_quantile(std::clamp(below, 0.5, count - 0.5) / count);
}

/// Phi(z0 + (z0 + z) / (1 - a (z0 + z)))
double corrected_share(double share, double bias, double a) {
  const double z = bias + normal_quantile(share), denominator = 1 - a * z;
  if (denominator <= 0) return z > 0 ? 1 : 0;  // beyond the range of the correction
  return normal_cdf(bias + z / denominator);
}

void check_bootstrap(Index count, const BootstrapSettings& settings, std::span<const Index> groups) {
  require(count >= 2, "bootstrap: there are ", count, " examples; at least 2 are needed.");
  require(groups.empty() || static_cast<Index>(groups.size()) == count, "bootstrap: there are ", count,
          " examples but ", groups.size(), " groups; each needs one, or none has.");
  require(settings.draws >= 10, "bootstrap: draws = ", settings.draws, ", but must be >= 10.");
  require(settings.level > 0 && settings.level < 1, "bootstrap: level = ", settings.level, ", but must be in (0, 1).");
}

}  // namespace

BootstrapInterval bootstrap_interval(Index count, const std::function<double(std::span<const Index> rows)>& statistic,
                                     const Random& random, const BootstrapSettings& settings,
                                     std::span<const Index> groups) {
  check_bootstrap(count, settings, groups);
  const GroupMembers members = members_of_groups(count, groups);
  require(members.size() >= 2, "bootstrap: there is only one group; at least 2 are needed.");
  std::vector<Index> all(count);
  for (Index i = 0; i < count; ++i) all[i] = i;
  BootstrapInterval interval;
  interval.estimate = statistic(all);
  require(!std::isnan(interval.estimate), "bootstrap: the statistic of the data is NaN.");
  const std::vector<double> sorted = drawn_statistics(members, statistic, random.stream("bootstrap"), settings.draws);
  interval.draws = static_cast<Index>(sorted.size());
  require(2 * interval.draws > settings.draws, "bootstrap: the statistic is NaN for ", settings.draws - interval.draws,
          " of ", settings.draws, " draws; it needs more data.");
  double low = (1 - settings.level) / 2, high = 1 - low;
  if (settings.kind == BootstrapKind::bca) {
    const double bias = bias_of(sorted, interval.estimate), a = acceleration(members, statistic);
    low = corrected_share(low, bias, a);
    high = corrected_share(high, bias, a);
  }
  interval.low = sorted_quantile(sorted, low);
  interval.high = sorted_quantile(sorted, high);
  interval.error = std::sqrt(moments(sorted).variance);
  return interval;
}

BootstrapInterval bootstrap_difference(Index count, const DrawnStatistic& first, const DrawnStatistic& second,
                                       const Random& random, const BootstrapSettings& settings,
                                       std::span<const Index> groups) {
  return bootstrap_interval(
      count, [&](std::span<const Index> rows) { return first(rows) - second(rows); }, random, settings, groups);
}

std::vector<double> times_drawn(std::span<const Index> rows, Index count) {
  std::vector<double> times(count);
  for (const Index row : rows) {
    require(row >= 0 && row < count, "times_drawn: row ", row, " of ", count, "; a row must be in [0, ", count, ").");
    times[row] += 1;
  }
  return times;
}

}  // namespace fovea
