#include "fovea/domains/lag/network/windows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"

namespace fovea::lag::network {

std::vector<Window> sliding_windows(Index steps, Index length, Index step) {
  require(length >= 1 && step >= 1, "sliding_windows: a length of ", length, " and a step of ", step,
          "; both must be at least 1.");
  if (length >= steps) return {{0, steps}};
  std::vector<Window> windows;
  for (Index first = (steps - length) % step; first + length <= steps; first += step)
    windows.push_back({first, length});
  return windows;
}

datasets::series::SeriesTable window_of(const datasets::series::SeriesTable& table, const Window& window) {
  datasets::series::SeriesTable part = table;
  part.values = table.values.middleRows(window.first, window.length);
  part.recording_starts = {0};
  for (const Index start : table.recording_starts)
    if (start > window.first && start < window.first + window.length)
      part.recording_starts.push_back(start - window.first);
  return part;
}

namespace {

/// x(t - lag) y(t) for each row, from the column means; 0 where a value is missing or before its recording.
std::vector<double> lagged_products(const datasets::series::SeriesTable& table, Index cause, Index effect, Index lag) {
  const auto mean = [&](Index column) {
    double sum = 0, count = 0;
    for (Index t = 0; t < table.steps(); ++t)
      if (std::isfinite(table.values(t, column))) sum += table.values(t, column), count += 1;
    return count > 0 ? sum / count : 0;
  };
  const double x_mean = mean(cause), y_mean = mean(effect);
  std::vector<double> products(table.steps(), 0.0);
  for (Index t = lag; t < table.steps(); ++t) {
    const auto next = std::upper_bound(table.recording_starts.begin(), table.recording_starts.end(), t);
    const double product = (table.values(t - lag, cause) - x_mean) * (table.values(t, effect) - y_mean);
    if (t - lag >= *(next - 1) && std::isfinite(product)) products[t] = product;
  }
  return products;
}

/// The most frequent lag above 0 among some windows, the smallest of equals, and in how many it is; {0, 0} for none.
std::pair<Index, Index> most_frequent(std::vector<Index>::const_iterator first,
                                      std::vector<Index>::const_iterator last) {
  std::map<Index, Index> counts;
  for (auto at = first; at != last; ++at)
    if (*at > 0) ++counts[*at];
  std::pair<Index, Index> best{0, 0};
  for (const auto& [lag, count] : counts)
    if (count > best.second) best = {lag, count};
  return best;
}

}  // namespace

Index row_of_change(const datasets::series::SeriesTable& table, Index cause, Index effect, Index before, Index after) {
  const std::vector<double> old_products = lagged_products(table, cause, effect, before);
  const std::vector<double> new_products = lagged_products(table, cause, effect, after);
  double both = 0, sum = 0;
  for (std::size_t t = 0; t < old_products.size(); ++t) both += old_products[t] + new_products[t];
  const double sign = both < 0 ? -1 : 1;
  double best = 0;
  Index row = 0;
  for (std::size_t t = 0; t < old_products.size(); ++t) {
    sum += sign * (old_products[t] - new_products[t]);  // of the rows before t + 1
    if (sum > best) best = sum, row = static_cast<Index>(t) + 1;
  }
  return row;
}

LagChange change_of(const std::vector<Index>& lags) {
  LagChange change;
  Index most = 0;
  for (std::size_t cut = 2; cut + 2 <= lags.size(); ++cut) {
    const auto middle = lags.begin() + static_cast<std::ptrdiff_t>(cut);
    const auto before = most_frequent(lags.begin(), middle), after = most_frequent(middle, lags.end());
    if (before.second + after.second <= most) continue;
    most = before.second + after.second;
    const auto with_lag = [](auto first, auto last) {
      return std::count_if(first, last, [](Index lag) { return lag > 0; });
    };
    change.before = before.first;
    change.after = after.first;
    change.found = before.first != after.first && before.second >= 2 && after.second >= 2 &&
                   2 * before.second > with_lag(lags.begin(), middle) &&
                   2 * after.second > with_lag(middle, lags.end());
  }
  return change;
}

}  // namespace fovea::lag::network
