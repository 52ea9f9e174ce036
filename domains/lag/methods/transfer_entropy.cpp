#include <algorithm>

#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

/// For normal series the entropy that x_i(t - lag) transfers to x_j(t), given the own past of x_j, is -log(1 - r^2) / 2
/// with their partial correlation r (Barnett, Barrett & Seth 2009), so its test is that of r. The own past: the lags
/// asked for, and 1; for a self-link without its own lag.
Findings find_by_transfer_entropy(const datasets::series::SeriesTable& table, const LagSettings& settings,
                                  const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  std::vector<Index> lags = lags_with_present(settings);
  if (lags[1] != 1) lags.insert(lags.begin() + 1, 1);
  const Filled filled(table, lags.back(), findings);
  const LaggedGram gram(filled.table().values, lags, LaggedRows{table.recording_starts, 0});
  const auto count = static_cast<Index>(findings.links.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (Index k = 0; k < count; ++k) {
    Link& link = findings.links[k];
    ConditioningSet past(gram.products());
    for (const Index lag : lags)
      if (lag > 0 && !(link.self() && lag == link.lag)) past.join(gram.column(link.effect, lag));
    const double r = past.partial_correlation(gram.column(link.cause, link.lag), gram.column(link.effect, 0));
    enter(test_correlation(r, gram.rows(), past.rank()), link);
  }
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag::methods
