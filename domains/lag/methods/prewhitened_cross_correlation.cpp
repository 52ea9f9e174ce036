#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/domains/lag/methods/cross_correlation.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

namespace {

/// A series without what its own past tells.
struct WhitenedSeries {
  Vector<double> residuals;     ///< NaN where its past is not complete
  std::vector<double> partial;  ///< partial autocorrelations at lags 1, 2, ...
  double cells = 0;             ///< that are known
};

WhitenedSeries whiten(const Vector<double>& x, const std::vector<Index>& recording_starts, Index last_lag) {
  WhitenedSeries found{Vector<double>::Constant(x.size(), kNan), {}, static_cast<double>((!x.array().isNaN()).count())};
  const auto most = static_cast<Index>(10 * std::log10(std::max(found.cells, 1.0)));  // the usual bound
  const Index order = std::min(most, x.size() / 4), last = std::min(std::max(order, last_lag), x.size() - 1);
  const std::vector<double> rho =
      autocorrelations({x.data(), static_cast<std::size_t>(x.size())}, last, recording_starts);
  const std::vector<Autoregression> fits = autoregressions(rho);
  for (std::size_t p = 1; p < fits.size(); ++p) found.partial.push_back(fits[p].coefficients.back());
  const std::vector<double>& best = best_by_aic(std::span(fits).first(order + 1), found.cells).coefficients;
  double sum = 0;
  for (Index t = 0; t < x.size(); ++t) sum += std::isnan(x[t]) ? 0.0 : x[t];
  const double mean = found.cells > 0 ? sum / found.cells : 0.0;
  const auto reach = static_cast<Index>(best.size());
  for (std::size_t r = 0; r < recording_starts.size(); ++r) {
    const Index end = r + 1 < recording_starts.size() ? recording_starts[r + 1] : x.size();
    for (Index t = recording_starts[r] + reach; t < end; ++t) {
      double left = x[t] - mean;
      for (Index k = 1; k <= reach; ++k) left -= best[k - 1] * (x[t - k] - mean);
      found.residuals[t] = left;
    }
  }
  return found;
}

/// The partial autocorrelation at a lag beyond the order is normal with variance 1 / n (Quenouille 1949).
void test_self_link(const WhitenedSeries& series, Link& link) {
  const std::size_t lag = link.lag;
  if (lag > series.partial.size() || series.cells < 4) return;
  link.strength = std::clamp(series.partial[lag - 1], -1.0, 1.0);
  link.statistic = link.strength * std::sqrt(series.cells);
  link.p_value = normal_two_sided(link.statistic);
  if (too_small(link.p_value))
    link.log10_p = log10_student_two_sided(link.statistic, std::numeric_limits<double>::infinity());
}

}  // namespace

Findings find_by_prewhitened_cross_correlation(const datasets::series::SeriesTable& given, const LagSettings& settings,
                                               const Random&) {
  Findings findings{links_asked_for(given, settings), {}};
  const Filled filled(given, settings.lags.back(), findings);
  const datasets::series::SeriesTable& table = filled.table();
  std::vector<WhitenedSeries> white(table.series());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < table.series(); ++i)
    white[i] = whiten(table.values.col(i), table.recording_starts, settings.lags.back());
  std::vector<std::span<const double>> residuals;
  for (const WhitenedSeries& one : white) residuals.emplace_back(one.residuals.data(), one.residuals.size());
  std::vector<Link*> others;
  for (Link& link : findings.links)
    if (link.self())
      test_self_link(white[link.cause], link);
    else
      others.push_back(&link);
  SearchMeter meter(settings, static_cast<double>(std::max<std::size_t>(others.size(), 1)));
  CrossCorrelations(std::move(residuals), table.recording_starts)
      .test(
          others, [](const Link&) { return 1.0; }, meter);
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag::methods
