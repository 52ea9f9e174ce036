#pragma once
/// What the peers' methods have in common: what they do about missing cells, and how their tests become findings.

#include <optional>
#include <vector>

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::methods {

/// A series some steps ago.
struct LaggedNode {
  Index series = 0, lag = 0;
  bool operator==(const LaggedNode&) const = default;
};

/// The effects that are asked for: settings.targets, or every series. Throws ArgumentError for settings out of range:
/// lags not ascending in [1, steps), targets that are no series, a level outside (0, 1).
std::vector<Index> checked_targets(const datasets::series::SeriesTable& table, const LagSettings& settings);

/// The lags that are looked at, with 0 first.
std::vector<Index> lags_with_present(const LagSettings& settings);

/// Every (cause, effect, lag) that is asked for, by effect, cause, lag, yet without a test. Lag 0 where the settings
/// say so: each pair once, cause < effect, undirected (cause > effect where only that one is a target).
std::vector<Link> links_asked_for(const datasets::series::SeriesTable& table, const LagSettings& settings);

/// Strength, statistic and p-value of a link are those of its test.
void enter(const CorrelationTest& test, Link& link);

/// q-values over all links (Benjamini & Hochberg 1995), and those at most `level` count.
void count_by_false_discovery(std::vector<Link>& links, double level);

/// The table as the peers read it, who know no missing cells. Where at least half of the rows are complete with all
/// steps up to `history` behind them, it stays as it is: the others are dropped, as LaggedGram does. Else gaps are
/// filled by straight lines within their recording, and held at its ends. Either is said in a note. A series without
/// any cell in a recording is 0 there.
class Filled {
 public:
  Filled(const datasets::series::SeriesTable& given, Index history, Findings& findings);
  const datasets::series::SeriesTable& table() const { return filled_ ? *filled_ : *given_; }

 private:
  const datasets::series::SeriesTable* given_;
  std::optional<datasets::series::SeriesTable> filled_;
};

}  // namespace fovea::lag::methods
