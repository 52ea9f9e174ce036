#include "fovea/domains/lag/methods/cross_correlation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

namespace {

constexpr double kLeastExcess = 0.2;
constexpr Index kWorthThreads = 1000000;   // products: about a millisecond
constexpr double kSeriesPart = 1.0 / 150;  // for the progress: a series' autocorrelations take as long as that times
                                           // its steps correlations of two

/// Autocorrelations up to a quarter of the steps: beyond, they are chance.
std::vector<std::vector<double>> all_autocorrelations(const datasets::series::SeriesTable& table,
                                                      const SeriesColumns& columns, double parts, SearchMeter& meter) {
  std::vector<std::vector<double>> rho(static_cast<std::size_t>(table.series()));
#pragma omp parallel for schedule(static) if (table.values.size() * table.steps() > 4 * kWorthThreads)
  for (Index i = 0; i < table.series(); ++i) {
    rho[static_cast<std::size_t>(i)] = autocorrelations(columns.of(i), table.steps() / 4, table.recording_starts);
    meter.done(parts);
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

CorrelationTest cross_correlation(std::span<const double> cause, std::span<const double> effect,
                                  std::span<const Index> recording_starts, Index lag, double excess) {
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t r = 0; r < recording_starts.size(); ++r) {
      const Index end = r + 1 < recording_starts.size() ? recording_starts[r + 1] : std::ssize(effect);
      for (Index t = recording_starts[r] + lag; t < end; ++t) {
        const double x = cause[static_cast<std::size_t>(t - lag)], y = effect[static_cast<std::size_t>(t)];
        if (!std::isnan(x) && !std::isnan(y)) visit(x, y);
      }
    }
  };
  double n = 0, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for_each_pair([&](double x, double y) {
    n += 1;
    mean_x += x;
    mean_y += y;
  });
  mean_x /= n;
  mean_y /= n;
  for_each_pair([&](double x, double y) {
    xx += (x - mean_x) * (x - mean_x);
    yy += (y - mean_y) * (y - mean_y);
    xy += (x - mean_x) * (y - mean_y);
  });
  const double degrees = n / excess - 2;
  CorrelationTest found;
  if (!(xx > 0 && yy > 0 && degrees >= 1)) return found;
  found.correlation = std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
  const double unexplained = (1 - found.correlation) * (1 + found.correlation);
  found.t = found.correlation * std::sqrt(degrees / std::max(unexplained, 1e-300));
  found.p_value = student_two_sided(found.t, degrees);
  found.degrees = static_cast<Index>(degrees);
  return found;
}

Findings find_by_cross_correlation(const datasets::series::SeriesTable& table, const LagSettings& settings,
                                   const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  const SeriesColumns columns(table.values);
  const auto count = static_cast<Index>(findings.links.size());
  const double of_series = kSeriesPart * static_cast<double>(table.steps());
  SearchMeter meter(settings, of_series * static_cast<double>(table.series()) + static_cast<double>(count));
  const std::vector<std::vector<double>> rho = all_autocorrelations(table, columns, of_series, meter);
#pragma omp parallel for schedule(dynamic, 64) if (count * table.steps() > kWorthThreads)
  for (Index k = 0; k < count; ++k) {
    Link& link = findings.links[static_cast<std::size_t>(k)];
    const double excess = link.self() ? 1.0
                                      : variance_excess(rho[static_cast<std::size_t>(link.cause)],
                                                        rho[static_cast<std::size_t>(link.effect)], table.steps());
    enter(cross_correlation(columns.of(link.cause), columns.of(link.effect), table.recording_starts, link.lag, excess),
          link);
    meter.done(1);
  }
  if (table.values.array().isNaN().any())
    findings.notes.push_back("Cells are missing: each correlation uses the rows that have both of its values.");
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag::methods
