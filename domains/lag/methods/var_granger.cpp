#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/linear/least_squares.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

namespace {

/// x_j(t) on all series at all lags: a vector autoregression, all equations with the same regressors.
struct VectorAutoregression {
  VectorAutoregression(const datasets::series::SeriesTable& table, const LagSettings& settings)
      : gram(table.values, lags_with_present(settings), LaggedRows{table.recording_starts, 0}),
        regressors(regressors_of(gram)),
        equations(gram.products(), gram.rows(), regressors) {}

  static std::vector<Index> regressors_of(const LaggedGram& gram) {
    std::vector<Index> columns;
    for (Index series = 0; series < gram.series(); ++series)
      for (const Index lag : gram.lags())
        if (lag > 0) columns.push_back(gram.column(series, lag));
    return columns;
  }
  LeastSquares::Fit fit(Index target) const { return equations.fit(gram.column(target, 0)); }
  void note(Findings& findings) const {
    if (equations.degrees() < 1)
      findings.notes.push_back(concat("There are ", regressors.size(), " regressors and only ", gram.rows(),
                                      " rows: a vector autoregression cannot be fitted."));
  }

  LaggedGram gram;
  std::vector<Index> regressors;  ///< series by series, lag by lag
  LeastSquares equations;
};

/// Calls test(equations, fit, regressor, link, links) for each pair: link has its cause and effect, regressor is the
/// cause's first.
template <typename Test>
Findings by_autoregression(const datasets::series::SeriesTable& given, const LagSettings& settings, const Test& test) {
  Findings findings;
  const std::vector<Index> targets = checked_targets(given, settings);
  const Filled filled(given, settings.lags.back(), findings);
  const VectorAutoregression model(filled.table(), settings);
  for (const Index effect : targets) {
    const LeastSquares::Fit fit = model.fit(effect);
    for (Index cause = 0; cause < given.series(); ++cause)
      test(model.equations, fit, cause * std::ssize(settings.lags), Link{.cause = cause, .effect = effect},
           findings.links);
  }
  count_by_false_discovery(findings.links, settings.level);
  model.note(findings);
  return findings;
}

}  // namespace

Findings find_by_var(const datasets::series::SeriesTable& given, const LagSettings& settings, const Random&) {
  return by_autoregression(given, settings,
                           [&](const LeastSquares& equations, const LeastSquares::Fit& fit, Index regressor, Link link,
                               std::vector<Link>& links) {
                             for (const Index lag : settings.lags) {
                               link.lag = lag;
                               enter(equations.test(fit, regressor++), link);
                               links.push_back(link);
                             }
                           });
}

Findings find_by_var_granger(const datasets::series::SeriesTable& given, const LagSettings& settings, const Random&) {
  return by_autoregression(given, settings,
                           [&](const LeastSquares& equations, const LeastSquares::Fit& fit, Index regressor, Link link,
                               std::vector<Link>& links) {
                             link.lag = settings.lags.front();
                             std::vector<Index> group;
                             for (const Index lag : settings.lags) {
                               const double strength = equations.test(fit, regressor).correlation;
                               group.push_back(regressor++);
                               if (!(std::abs(strength) > std::abs(link.strength))) continue;
                               link.strength = strength;
                               link.lag = lag;
                             }
                             const LeastSquares::GroupTest of_all = equations.test_group(fit, group);
                             link.statistic = of_all.f;
                             link.p_value = of_all.p_value;
                             if (too_small(link.p_value)) link.log10_p = of_all.log10_p;
                             links.push_back(link);
                           });
}

}  // namespace fovea::lag::methods
