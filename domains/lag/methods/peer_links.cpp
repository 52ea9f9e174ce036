#include "fovea/domains/lag/methods/peer_links.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::lag::methods {

namespace {

bool ascends(const std::vector<Index>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

Index end_of_recording(const datasets::series::SeriesTable& table, std::size_t recording) {
  const bool last = recording + 1 == table.recording_starts.size();
  return last ? table.steps() : table.recording_starts[recording + 1];
}

void fill_gaps(Matrix<double>& values, Index series, Index begin, Index end) {
  Index known = -1;  // the last step that is
  for (Index t = begin; t < end; ++t) {
    if (std::isnan(values(t, series))) continue;
    for (Index gap = known < 0 ? begin : known + 1; gap < t; ++gap) {
      const double from = known < 0 ? values(t, series) : values(known, series);
      const double way = known < 0 ? 0.0 : static_cast<double>(gap - known) / static_cast<double>(t - known);
      values(gap, series) = from + way * (values(t, series) - from);
    }
    known = t;
  }
  for (Index gap = known < 0 ? begin : known + 1; gap < end; ++gap)
    values(gap, series) = known < 0 ? 0.0 : values(known, series);
}

}  // namespace

std::vector<Index> checked_targets(const datasets::series::SeriesTable& table, const LagSettings& settings) {
  const std::vector<Index>& lags = settings.lags;
  require(!lags.empty() && ascends(lags) && lags.front() >= 1 && lags.back() < table.steps(),
          "lag: the lags must be ascending, each >= 1 and below the number of steps, ", table.steps(), ".");
  require(settings.level > 0 && settings.level < 1, "lag: level = ", settings.level, ", but must be in (0, 1).");
  const std::vector<Index>& targets = settings.targets;
  require(ascends(targets) && (targets.empty() || (targets.front() >= 0 && targets.back() < table.series())),
          "lag: the targets must be ascending columns of the table, in [0, ", table.series(), ").");
  if (!targets.empty()) return targets;
  std::vector<Index> all(table.series());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> lags_with_present(const LagSettings& settings) {
  std::vector<Index> lags{0};
  lags.insert(lags.end(), settings.lags.begin(), settings.lags.end());
  return lags;
}

std::vector<Link> links_asked_for(const datasets::series::SeriesTable& table, const LagSettings& settings) {
  const std::vector<Index> targets = checked_targets(table, settings);
  const auto is_target = [&](Index i) { return std::binary_search(targets.begin(), targets.end(), i); };
  std::vector<Link> links;
  links.reserve(targets.size() * static_cast<std::size_t>(table.series()) * (settings.lags.size() + 1));
  for (const Index effect : targets)
    for (Index cause = 0; cause < table.series(); ++cause) {
      const bool at_once = settings.contemporaneous && cause != effect && (cause < effect || !is_target(cause));
      if (at_once) links.push_back({.cause = cause, .effect = effect, .lag = 0, .directed = false});
      for (const Index lag : settings.lags) links.push_back({.cause = cause, .effect = effect, .lag = lag});
    }
  return links;
}

void enter(const CorrelationTest& test, Link& link) {
  link.strength = test.correlation;
  link.statistic = test.t;
  link.p_value = test.p_value;
  link.log10_p = kNan;
  const double r = std::abs(test.correlation);
  if (!too_small(test.p_value) || !(r > 0 && r < 1)) return;
  // t = r sqrt(d / (1 - r^2)); d need not be whole, as test.degrees is
  link.log10_p = log10_student_two_sided(test.t, (test.t / r) * (test.t / r) * (1 - r) * (1 + r));
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
  std::vector<std::size_t> all(links.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Link*> family;
  for (const std::size_t k : all) family.push_back(&links[k]);
  add_small_q_values(family, 1);
}

Filled::Filled(const datasets::series::SeriesTable& given, Index history, Findings& findings) : given_(&given) {
  Index missing = 0, possible = 0, complete = 0;
  for (std::size_t r = 0; r < given.recording_starts.size(); ++r) {
    Index unbroken = 0;
    for (Index t = given.recording_starts[r]; t < end_of_recording(given, r); ++t) {
      const Index here = given.values.row(t).array().isNaN().count();
      missing += here;
      unbroken = here == 0 ? unbroken + 1 : 0;
      possible += t - given.recording_starts[r] >= history ? 1 : 0;
      complete += unbroken > history ? 1 : 0;
    }
  }
  if (missing == 0) return;
  const double share = 100.0 * static_cast<double>(missing) / static_cast<double>(given.values.size());
  const std::string cells = concat(std::round(10 * share) / 10, " % of the cells are missing: ");
  if (2 * complete >= possible) {
    findings.notes.push_back(
        concat(cells, complete, " of ", possible, " rows are complete over all lags and were used."));
    return;
  }
  findings.notes.push_back(cells + "they were filled by straight lines between their neighbours in time.");
  filled_ = given;
  for (std::size_t r = 0; r < given.recording_starts.size(); ++r)
    for (Index i = 0; i < given.series(); ++i)
      fill_gaps(filled_->values, i, given.recording_starts[r], end_of_recording(given, r));
}

}  // namespace fovea::lag::methods
