#pragma once
/// What the peers' methods have in common: the rows that they use, and how their tests become findings.

#include <vector>

#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/domains/lag/findings.hpp"

namespace fovea::lag {

/// A series some steps ago.
struct LaggedNode {
  Index series = 0, lag = 0;
  bool operator==(const LaggedNode&) const = default;
};

/// The effects that are asked for: settings.targets, or every series. Throws ArgumentError for settings out of range:
/// lags not ascending in [1, steps), targets that are no series, a level outside (0, 1).
std::vector<Index> checked_targets(const SeriesTable& table, const LagSettings& settings);

/// The lags that are looked at, with 0 first.
std::vector<Index> lags_with_present(const LagSettings& settings);

/// Every (cause, effect, lag) that is asked for, by effect, cause, lag, yet without a test. Lag 0 where the settings
/// say so: each pair once, cause < effect, undirected (cause > effect where only that one is a target).
std::vector<Link> links_asked_for(const SeriesTable& table, const LagSettings& settings);

/// q-values over all links (Benjamini & Hochberg 1995), and those at most `level` count.
void count_by_false_discovery(std::vector<Link>& links, double level);

/// Says how many rows could not be used because of missing cells, if any.
void note_rows(const SeriesTable& table, const LaggedGram& gram, Index history, Findings& findings);

}  // namespace fovea::lag
