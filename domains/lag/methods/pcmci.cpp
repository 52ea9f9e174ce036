#include "fovea/domains/lag/methods/pcmci.hpp"

#include "fovea/domains/lag/methods/finders.hpp"

namespace fovea::lag::methods {

namespace {

constexpr double kSelectionAlpha = 0.2;  // Runge et al. 2019: liberal, so that no parent is lost

}  // namespace

/// Second phase, "MCI" (Runge et al. 2019, eq. 4): x_i(t - lag) and x_j(t) given the parents of both. At lag 0 both
/// directions are the same test.
Findings find_by_pcmci(const datasets::series::SeriesTable& table, const LagSettings& settings, const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  const Filled filled(table, 2 * settings.lags.back(), findings);
  const LaggedTests tests(filled.table(), settings);
  const std::vector<LaggedConditions> conditions = select_all_conditions(tests, settings.lags, kSelectionAlpha);
  const auto parents_of = [&](Index series) -> std::span<const LaggedNode> { return conditions[series].parents; };
  const auto count = static_cast<Index>(findings.links.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (Index k = 0; k < count; ++k) {
    Link& link = findings.links[k];
    const LaggedNode cause{link.cause, link.lag}, effect{link.effect, 0};
    enter(tests.test(cause, effect, momentary_conditions(cause, {}, parents_of(link.effect), parents_of(link.cause))),
          link);
  }
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag::methods
