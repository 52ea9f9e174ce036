#include "fovea/domains/lag/cross_correlation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/autoregression.hpp"
#include "fovea/core/statistics/tails.hpp"
#include "fovea/domains/lag/finders.hpp"
#include "fovea/domains/lag/peer_links.hpp"

namespace fovea::lag {

namespace {

constexpr double kLeastExcess = 0.2;
constexpr Index kWorthThreads = 1000000;  // products: about a millisecond

/// Autocorrelations up to a quarter of the steps: beyond, they are chance.
std::vector<std::vector<double>> all_autocorrelations(const SeriesTable& table) {
  std::vector<std::vector<double>> rho(static_cast<std::size_t>(table.series()));
#pragma omp parallel for schedule(static) if (table.values.size() * table.steps() > 4 * kWorthThreads)
  for (Index i = 0; i < table.series(); ++i) {
    const Vector<double> column = table.values.col(i);
    rho[static_cast<std::size_t>(i)] = autocorrelations({column.data(), static_cast<std::size_t>(column.size())},
                                                        table.steps() / 4, table.recording_starts);
  }
  return rho;
}

}  // namespace

double variance_excess(std::span<const double> rho_x, std::span<const double> rho_y, Index n) {
  double sum = 1;
  for (std::size_t k = 1; k < std::min(rho_x.size(), rho_y.size()); ++k)
    sum += 2 * (1 - static_cast<double>(k) / static_cast<double>(n)) * rho_x[k] * rho_y[k];
  return std::max(sum, kLeastExcess);
}

CrossCorrelation cross_correlation(const Matrix<double>& values, std::span<const Index> recording_starts, Index cause,
                                   Index effect, Index lag, double excess) {
  std::vector<double> x, y;
  double mean_x = 0, mean_y = 0;
  for (std::size_t r = 0; r < recording_starts.size(); ++r) {
    const Index end = r + 1 < recording_starts.size() ? recording_starts[r + 1] : values.rows();
    for (Index t = recording_starts[r] + lag; t < end; ++t) {
      if (std::isnan(values(t - lag, cause)) || std::isnan(values(t, effect))) continue;
      mean_x += x.emplace_back(values(t - lag, cause));
      mean_y += y.emplace_back(values(t, effect));
    }
  }
  const auto n = static_cast<double>(x.size());
  mean_x /= n;
  mean_y /= n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    yy += (y[k] - mean_y) * (y[k] - mean_y);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  const double degrees = n / excess - 2;
  CrossCorrelation found;
  if (!(xx > 0 && yy > 0 && degrees >= 1)) return found;
  found.r = std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
  found.half_width = std::min(1.0, 1.959963984540054 * std::sqrt(excess / n));
  found.t = found.r * std::sqrt(degrees / std::max((1 - found.r) * (1 + found.r), 1e-300));
  found.p_value = student_two_sided(found.t, degrees);
  return found;
}

Findings find_by_cross_correlation(const SeriesTable& table, const LagSettings& settings, const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  const std::vector<std::vector<double>> rho = all_autocorrelations(table);
  const auto count = static_cast<Index>(findings.links.size());
#pragma omp parallel for schedule(dynamic, 64) if (count * table.steps() > kWorthThreads)
  for (Index k = 0; k < count; ++k) {
    Link& link = findings.links[static_cast<std::size_t>(k)];
    const double excess = link.self() ? 1.0
                                      : variance_excess(rho[static_cast<std::size_t>(link.cause)],
                                                        rho[static_cast<std::size_t>(link.effect)], table.steps());
    const CrossCorrelation found =
        cross_correlation(table.values, table.recording_starts, link.cause, link.effect, link.lag, excess);
    link.strength = found.r;
    link.statistic = found.t;
    link.p_value = found.p_value;
  }
  if (table.values.array().isNaN().any())
    findings.notes.push_back("Cells are missing: each correlation uses the rows that have both of its values.");
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag
