#include "fovea/domains/lag/network/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::network {

namespace {

/// Autocovariances at lags 0 ... last, divided by n.
std::vector<double> sample_autocovariances(const std::vector<double>& values, std::size_t last) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  std::vector<double> covariances;
  for (std::size_t lag = 0; lag <= last; ++lag) {
    double sum = 0;
    for (std::size_t t = lag; t < values.size(); ++t) sum += (values[t] - mean) * (values[t - lag] - mean);
    covariances.push_back(sum / static_cast<double>(values.size()));
  }
  return covariances;
}

/// The lag behind which `quiet` autocorrelations in sequence are too small to be told from 0.
std::size_t last_correlated(const std::vector<double>& covariances, double threshold, std::size_t quiet) {
  std::size_t run = 0;
  for (std::size_t lag = 1; lag < covariances.size(); ++lag) {
    run = std::abs(covariances[lag] / covariances[0]) < threshold ? run + 1 : 0;
    if (run == quiet) return lag - quiet;
  }
  return covariances.size() - 1;
}

/// 1 up to 1/2, then down to 0 at 1 (Politis and Romano 1995).
double flat_top(double share) { return share <= 0.5 ? 1 : std::max(0.0, 2 * (1 - share)); }

}  // namespace

double block_length(std::span<const double> series) {
  std::vector<double> values;
  std::copy_if(series.begin(), series.end(), std::back_inserter(values), [](double v) { return std::isfinite(v); });
  if (values.size() < 8) return 1;
  const double n = static_cast<double>(values.size()), digits = logarithm(n) / logarithm(10.0);
  const double most = std::ceil(std::min(3 * std::sqrt(n), n / 3));
  const auto quiet = static_cast<std::size_t>(std::max(5.0, std::ceil(std::sqrt(digits))));
  const std::size_t last = std::min(values.size() - 2, static_cast<std::size_t>(std::ceil(std::sqrt(n))) + quiet);
  const std::vector<double> covariances = sample_autocovariances(values, last);
  if (!(covariances[0] > 0)) return 1;
  const std::size_t correlated = last_correlated(covariances, 2 * std::sqrt(digits / n), quiet);
  const std::size_t width = std::min(last, 2 * std::max<std::size_t>(correlated, 1));
  double slope = 0, spectrum = covariances[0];  // both sides of lag 0
  for (std::size_t lag = 1; lag <= width; ++lag) {
    const double weight = 2 * flat_top(static_cast<double>(lag) / static_cast<double>(width)) * covariances[lag];
    slope += weight * static_cast<double>(lag);
    spectrum += weight;
  }
  if (!(spectrum > 0)) return most;
  const double ratio = slope * slope / (spectrum * spectrum);  // 2 G^2 / D with D = 2 g(0)^2
  return ratio > 0 ? std::clamp(std::cbrt(ratio * n), 1.0, most) : 1;
}

datasets::series::SeriesTable drawn_again(const datasets::series::SeriesTable& table, double length, Index reach,
                                          const Random& random, Index draw) {
  require(length >= 1 && reach >= 0, "drawn_again: blocks of ", length, " steps and a reach of ", reach,
          "; a length is at least 1 and a reach not negative.");
  const auto step = static_cast<std::uint64_t>(draw);
  const Random starts = random.stream("starts"), lengths = random.stream("lengths");
  const double stays = logarithm(1 - 1 / std::max(length, 1 + 1e-9));  // of the chance that a block goes on
  datasets::series::SeriesTable again = table;
  again.recording_starts.clear();
  std::vector<Index> rows;
  Index drawn = 0;
  for (std::uint64_t block = 0; drawn < table.steps(); ++block) {
    const auto first = static_cast<Index>(starts.below(static_cast<std::uint64_t>(table.steps()), block, step));
    const auto next = std::upper_bound(table.recording_starts.begin(), table.recording_starts.end(), first);
    const Index end = next == table.recording_starts.end() ? table.steps() : *next;
    const double u = 1 - lengths.uniform(block, step);  // in (0, 1]
    const Index wanted = 1 + static_cast<Index>(std::min(logarithm(u) / stays, static_cast<double>(table.steps())));
    const Index count = std::min({wanted, end - first, table.steps() - drawn});
    again.recording_starts.push_back(static_cast<Index>(rows.size()));
    for (Index t = std::max(*(next - 1), first - reach); t < first + count; ++t) rows.push_back(t);
    drawn += count;
  }
  again.values.resize(static_cast<Index>(rows.size()), table.series());
  for (std::size_t k = 0; k < rows.size(); ++k) again.values.row(static_cast<Index>(k)) = table.values.row(rows[k]);
  return again;
}

std::vector<double> shares_of_draws(const std::vector<methods::Link>& links,
                                    const std::vector<methods::Findings>& draws) {
  std::vector<double> shares(links.size(), 0.0);
  for (const methods::Findings& found : draws) {
    std::set<std::tuple<Index, Index, Index>> counting;
    for (const methods::Link& link : found.links)
      if (link.counts) counting.insert({link.cause, link.effect, link.lag});
    for (std::size_t k = 0; k < links.size(); ++k)
      shares[k] += counting.contains({links[k].cause, links[k].effect, links[k].lag}) ? 1 : 0;
  }
  for (double& share : shares) share /= static_cast<double>(std::max<std::size_t>(draws.size(), 1));
  return shares;
}

}  // namespace fovea::lag::network
