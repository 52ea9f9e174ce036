#include "fovea/domains/nowcast/examine/standing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/domains/nowcast/findings.hpp"

namespace fovea::nowcast {

namespace {

constexpr Index kDraws = 1000;
constexpr Index kLatestCall = 12;  ///< months behind the end of a recession: later it is none of it

struct Kept {
  std::vector<double> values;
  std::vector<Index> labels, groups;
};

/// Months for which every probability, and this answer, has a value.
Kept kept_of(const ScoredMonths& scored, const Answer& answer) {
  Kept kept;
  for (Index i = 0; i < scored.count(); ++i) {
    if (std::isnan(answer.values[i])) continue;
    kept.values.push_back(answer.values[i]);
    kept.labels.push_back(scored.labels[i]);
    kept.groups.push_back(scored.groups[i]);
  }
  return kept;
}

template <typename T>
std::vector<T> chosen(const std::vector<T>& all, std::span<const Index> rows) {
  std::vector<T> some;
  for (const Index row : rows) some.push_back(all[row]);
  return some;
}

bool has_both(const std::vector<Index>& labels) {
  return std::count(labels.begin(), labels.end(), 1) > 0 && std::count(labels.begin(), labels.end(), 0) > 0;
}

using Measure = std::function<double(std::span<const double>, std::span<const Index>)>;

Drawn drawn(const Kept& kept, const Measure& measure, const Random& random) {
  Drawn found;
  if (!has_both(kept.labels)) return found;
  found.value = measure(kept.values, kept.labels);
  if (std::set<Index>(kept.groups.begin(), kept.groups.end()).size() < 2) return found;
  const auto interval = bootstrap_interval(
      std::ssize(kept.values),
      [&](std::span<const Index> rows) {
        const std::vector<Index> labels = chosen(kept.labels, rows);
        return has_both(labels) ? measure(chosen(kept.values, rows), labels) : kNan;
      },
      random, {.draws = kDraws}, kept.groups);
  return {found.value, interval.low, interval.high};
}

/// Mean of (p - y)^2 - (q - y)^2 over the months that both answer.
Drawn brier_difference(const ScoredMonths& scored, const Answer& answer, const Answer& ours, const Random& random) {
  Answer less{"", {}};
  for (Index i = 0; i < scored.count(); ++i) {
    const double y = static_cast<double>(scored.labels[i]), p = answer.values[i] - y, q = ours.values[i] - y;
    less.values.push_back(p * p - q * q);
  }
  const auto mean = [](std::span<const double> values, std::span<const Index>) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  return drawn(kept_of(scored, less), mean, random);
}

}  // namespace

std::vector<Standing> standings(const ScoredMonths& scored, const Random& random) {
  std::vector<Standing> all;
  for (const Answer& answer : scored.answers) {
    const Kept kept = kept_of(scored, answer);
    Standing one;
    one.name = answer.name;
    one.auroc = drawn(kept, &auroc, random);
    for (std::size_t i = 0; i < kept.values.size(); ++i)
      one.false_months += kept.values[i] >= answer.call && kept.labels[i] == 0 ? 1 : 0;
    if (answer.probability && has_both(kept.labels)) {
      one.average_precision = drawn(kept, &average_precision, random);
      one.brier = drawn(
          kept, [](auto p, auto y) { return brier_score(p, y); }, random);
      one.log_loss = drawn(
          kept, [](auto p, auto y) { return fovea::log_loss(p, y); }, random);
      one.calibration_error = expected_calibration_error(kept.values, kept.labels, 10);
      if (!all.empty()) one.less_brier = brier_difference(scored, answer, scored.answers.front(), random);
    }
    one.tie = std::ssize(scored.recessions()) < kFewestToTell || !(one.less_brier.low > 0 || one.less_brier.high < 0);
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<AroundEpisode> around_episodes(const ScoredMonths& scored) {
  std::vector<AroundEpisode> episodes;
  for (const RecessionEpisode& recession : scored.recessions())
    episodes.push_back({recession.first, recession.last, {}, {}});
  for (AroundEpisode& episode : episodes)
    for (const Answer& answer : scored.answers) {
      std::vector<double> values;
      std::vector<Index> labels;
      double call = kNan;
      for (Index i = 0; i < scored.count(); ++i) {
        const Index month = scored.months[i];
        if (std::isnan(answer.values[i]) || month < episode.first - kAround || month > episode.last + kAround) continue;
        values.push_back(answer.values[i]), labels.push_back(scored.labels[i]);
        const bool within = month >= episode.first && month <= episode.last + kLatestCall;
        if (within && std::isnan(call) && answer.values[i] >= answer.call)
          call = static_cast<double>(month - episode.first);
      }
      episode.auroc.push_back(has_both(labels) ? auroc(values, labels) : kNan);
      episode.months_to_call.push_back(call);
    }
  return episodes;
}

}  // namespace fovea::nowcast
