#include <cmath>

#include "fovea/core/error.hpp"
#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/linear/least_squares.hpp"
#include "fovea/domains/lag/finders.hpp"
#include "fovea/domains/lag/peer_links.hpp"

namespace fovea::lag {

namespace {

/// x_j(t) on all series at all lags: a vector autoregression, all equations with the same regressors.
struct VectorAutoregression {
  VectorAutoregression(const SeriesTable& table, const LagSettings& settings)
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
                                      " rows: a vector autoregression tells nothing here."));
  }

  LaggedGram gram;
  std::vector<Index> regressors;  ///< series by series, lag by lag
  LeastSquares equations;
};

}  // namespace

Findings find_by_var(const SeriesTable& given, const LagSettings& settings, const Random&) {
  Findings findings;
  const std::vector<Index> targets = checked_targets(given, settings);
  const Filled filled(given, settings.lags.back(), findings);
  const VectorAutoregression model(filled.table(), settings);
  for (const Index effect : targets) {
    const LeastSquares::Fit fit = model.fit(effect);
    Index regressor = 0;
    for (Index cause = 0; cause < given.series(); ++cause)
      for (const Index lag : settings.lags) {
        const CorrelationTest test = model.equations.test(fit, regressor++);
        findings.links.push_back({cause, effect, lag, test.correlation, test.t, test.p_value});
      }
  }
  count_by_false_discovery(findings.links, settings.level);
  model.note(findings);
  return findings;
}

Findings find_by_var_granger(const SeriesTable& given, const LagSettings& settings, const Random&) {
  Findings findings;
  const std::vector<Index> targets = checked_targets(given, settings);
  const Filled filled(given, settings.lags.back(), findings);
  const VectorAutoregression model(filled.table(), settings);
  for (const Index effect : targets) {
    const LeastSquares::Fit fit = model.fit(effect);
    Index regressor = 0;
    for (Index cause = 0; cause < given.series(); ++cause) {
      Link link{.cause = cause, .effect = effect, .lag = settings.lags.front()};
      std::vector<Index> group;
      for (const Index lag : settings.lags) {
        const CorrelationTest test = model.equations.test(fit, regressor);
        if (std::abs(test.correlation) > std::abs(link.strength)) {
          link.strength = test.correlation;
          link.lag = lag;
        }
        group.push_back(regressor++);
      }
      const LeastSquares::GroupTest test = model.equations.test_group(fit, group);
      link.statistic = test.f;
      link.p_value = test.p_value;
      findings.links.push_back(link);
    }
  }
  count_by_false_discovery(findings.links, settings.level);
  model.note(findings);
  return findings;
}

}  // namespace fovea::lag
