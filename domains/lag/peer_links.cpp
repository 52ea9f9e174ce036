#include "fovea/domains/lag/peer_links.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "fovea/core/error.hpp"
#include "fovea/core/statistics/false_discovery.hpp"

namespace fovea::lag {

namespace {

bool ascends(const std::vector<Index>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

}  // namespace

std::vector<Index> checked_targets(const SeriesTable& table, const LagSettings& settings) {
  const std::vector<Index>& lags = settings.lags;
  require(!lags.empty() && ascends(lags) && lags.front() >= 1 && lags.back() < table.steps(),
          "lag: the lags must be ascending, each >= 1 and below the number of steps, ", table.steps(), ".");
  require(settings.level > 0 && settings.level < 1, "lag: level = ", settings.level, ", but must be in (0, 1).");
  const std::vector<Index>& targets = settings.targets;
  require(ascends(targets) && (targets.empty() || (targets.front() >= 0 && targets.back() < table.series())),
          "lag: the targets must be ascending columns of the table, in [0, ", table.series(), ").");
  if (!targets.empty()) return targets;
  std::vector<Index> all(static_cast<std::size_t>(table.series()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> lags_with_present(const LagSettings& settings) {
  std::vector<Index> lags{0};
  lags.insert(lags.end(), settings.lags.begin(), settings.lags.end());
  return lags;
}

std::vector<Link> links_asked_for(const SeriesTable& table, const LagSettings& settings) {
  const std::vector<Index> targets = checked_targets(table, settings);
  const auto is_target = [&](Index i) { return std::binary_search(targets.begin(), targets.end(), i); };
  std::vector<Link> links;
  for (const Index effect : targets)
    for (Index cause = 0; cause < table.series(); ++cause) {
      const bool at_once = settings.contemporaneous && cause != effect && (cause < effect || !is_target(cause));
      if (at_once) links.push_back({.cause = cause, .effect = effect, .lag = 0, .directed = false});
      for (const Index lag : settings.lags) links.push_back({.cause = cause, .effect = effect, .lag = lag});
    }
  return links;
}

void count_by_false_discovery(std::vector<Link>& links, double level) {
  std::vector<double> p;
  p.reserve(links.size());
  for (const Link& link : links) p.push_back(link.p_value);
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t k = 0; k < links.size(); ++k) {
    links[k].q_value = q[k];
    links[k].counts = q[k] <= level;
  }
}

void note_rows(const SeriesTable& table, const LaggedGram& gram, Index history, Findings& findings) {
  Index possible = 0;
  for (std::size_t r = 0; r < table.recording_starts.size(); ++r) {
    const bool last = r + 1 == table.recording_starts.size();
    const Index end = last ? table.steps() : table.recording_starts[r + 1];
    possible += std::max<Index>(0, end - table.recording_starts[r] - history);
  }
  if (gram.rows() < possible)
    findings.notes.push_back(concat("Cells are missing: ", gram.rows(), " of ", possible,
                                    " rows are complete over all lags and were used."));
}

}  // namespace fovea::lag
