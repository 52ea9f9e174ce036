#include "fovea/core/study/scores/scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/equal_bins.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/scores/score_table.hpp"

namespace fovea::study {

namespace {

/// The places of the groups' numbers among those that occur, ascending.
std::vector<std::size_t> places_of_groups(std::span<const Index> groups, std::size_t& count) {
  std::vector<Index> numbers(groups.begin(), groups.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::size_t> places;
  for (const Index group : groups)
    places.push_back(std::lower_bound(numbers.begin(), numbers.end(), group) - numbers.begin());
  count = numbers.size();
  return places;
}

/// Row s, column d: score s of draw d. The groups that a draw has are those of bootstrap_interval(); all scores see the
/// same draws, and each draw is one task that owns its column.
Matrix<double> drawn_scores(const std::vector<WeightedScore>& scores, const std::vector<std::size_t>& places,
                            std::size_t groups, Index draws, const Random& random) {
  constexpr std::size_t kWorthwhile = 1000;  // rows: below, threads take longer to start than a draw
  Matrix<double> values(static_cast<Index>(scores.size()), draws);
  const auto draw = [&](Index d) {
    std::vector<double> times(groups, 0.0), weights;
    for (std::size_t k = 0; k < groups; ++k) ++times[random.below(groups, k, static_cast<std::uint64_t>(d))];
    for (const std::size_t place : places) weights.push_back(times[place]);
    for (std::size_t s = 0; s < scores.size(); ++s) values(static_cast<Index>(s), d) = scores[s](weights);
  };
  for_each_task(draws, places.size() >= kWorthwhile, draw, 16);
  return values;
}

/// The ends of the 95 % interval: quantiles of the draws that the score is defined for; NaN where half of them are not.
void set_ends(ScoreValue& value, const Matrix<double>& drawn, Index score) {
  value.low = value.high = kNan;
  std::vector<double> defined;
  for (Index d = 0; d < drawn.cols(); ++d)
    if (!std::isnan(drawn(score, d))) defined.push_back(drawn(score, d));
  if (std::isnan(value.value) || 2 * static_cast<Index>(defined.size()) <= drawn.cols()) return;
  std::sort(defined.begin(), defined.end());
  value.low = sorted_quantile(defined, 0.025);
  value.high = sorted_quantile(defined, 0.975);
}

/// The score of outcomes drawn from the risks themselves. Of several classes the largest probability is a risk: that
/// its class is the right one.
void set_floor(ScoreValue& value, const ScoreEntry& entry, const Examples& examples, Index draws,
               const Random& random) {
  constexpr Index kFloorDraws = 400;
  std::vector<double> risks;
  std::vector<Index> called;
  for (Index i = 0; i < examples.rows(); ++i) {
    Index column = 1;
    const bool two = examples.mean.cols() == 1;
    const double risk = two ? examples.mean(i, 0) : examples.mean.row(i).maxCoeff(&column);
    risks.push_back(std::clamp(risk, 0.0, 1.0));
    called.push_back(column);
  }
  const std::vector<double> once(risks.size(), 1.0);
  Examples drawn = examples;
  const auto measure = [&](std::span<const double>, std::span<const Index> happened) {
    for (std::size_t i = 0; i < called.size(); ++i)
      drawn.classes[i] = happened[i] == 1 ? called[i] : called[i] == 0 ? 1 : 0;
    return entry.prepare(drawn)(once);
  };
  const NoiseFloor floor = calibration_floor(risks, measure, random, std::min(draws, kFloorDraws));
  value.low = floor.low;
  value.high = floor.high;
  value.floor = floor.mean;
}

constexpr Index kFewestDraws = 10;

void check_scored(const Target& target, const Predictions& predictions, std::span<const double> targets,
                  std::span<const Index> groups, Index draws) {
  const std::size_t rows = predictions.mean.rows();
  const TargetRule& rule = target.rule();
  const Index columns = rule.columns(target);
  require(predictions.mean.cols() == columns, "scored: the predictions have ", predictions.mean.cols(),
          " columns, but must have ", columns, ".");
  require(targets.size() == rows && groups.size() == rows, "scored: there are ", rows, " predictions, ", targets.size(),
          " targets and ", groups.size(), " groups; as many are needed.");
  require(!rule.real() || predictions.deviation.size() == rows, "scored: there are ", rows, " means but ",
          predictions.deviation.size(), " deviations; each mean needs one.");
  require(predictions.decisions.empty() || (predictions.decisions.size() == rows && rule.binary()),
          "scored: there are ", rows, " predictions but ", predictions.decisions.size(),
          " decisions; each prediction of a binary target needs one, or none has.");
  require(draws >= kFewestDraws, "scored: draws = ", draws, ", but must be >= ", kFewestDraws, ".");
}

std::vector<Index> classes_of(const Target& target, std::span<const double> targets) {
  std::vector<Index> classes;
  const Index count = target.rule().codes(target);
  if (count == 0) return classes;
  const bool whole = target.kind != TargetKind::hazards;  // whose codes hold the exact time as well
  for (const double y : targets) {
    require(y >= 0 && y < static_cast<double>(count) && (!whole || y == std::floor(y)), "scored: a target is ", y,
            ", but must be a whole number in [0, ", count, ").");
    classes.push_back(static_cast<Index>(y));
  }
  return classes;
}

}  // namespace

std::vector<Score> scores_of(const Target& target, bool decided) {
  std::vector<Score> scores;
  for (const ScoreEntry& entry : target.rule().scores(target, decided)) scores.push_back(entry.score);
  return scores;
}

std::vector<ScoreValue> scored(const Target& target, const Predictions& predictions, std::span<const double> targets,
                               std::span<const Index> groups, Index draws, const Random& random) {
  check_scored(target, predictions, targets, groups, draws);
  const std::vector<ScoreEntry> entries = target.rule().scores(target, !predictions.decisions.empty());
  std::vector<ScoreValue> values(entries.size(), ScoreValue{kNan, kNan, kNan, kNan});
  if (targets.empty()) return values;
  const Examples examples{
      target, predictions.mean, predictions.deviation, targets, classes_of(target, targets), predictions.decisions};
  const std::vector<double> once(targets.size(), 1.0);
  std::vector<WeightedScore> resampled;
  std::vector<std::size_t> places_of_resampled;
  for (std::size_t s = 0; s < entries.size(); ++s) {
    WeightedScore score = entries[s].prepare(examples);
    if (entries[s].score.range == ScoreRange::floor) {
      values[s].value = score(once);
      set_floor(values[s], entries[s], examples, draws, random.stream("floor"));
    } else {
      resampled.push_back(std::move(score));
      places_of_resampled.push_back(s);
    }
  }
  const std::vector<ScoreValue> found = with_intervals(resampled, groups, draws, random.stream("bootstrap"));
  for (std::size_t k = 0; k < found.size(); ++k) values[places_of_resampled[k]] = found[k];
  return values;
}

std::vector<ScoreValue> with_intervals(const std::vector<WeightedScore>& scores, std::span<const Index> groups,
                                       Index draws, const Random& random) {
  const std::vector<double> once(groups.size(), 1.0);
  std::vector<ScoreValue> values;
  for (const WeightedScore& score : scores) values.push_back({score(once), kNan, kNan});
  std::size_t count = 0;
  const std::vector<std::size_t> places = places_of_groups(groups, count);
  if (count < 2) return values;
  const Matrix<double> drawn = drawn_scores(scores, places, count, draws, random);
  for (std::size_t k = 0; k < scores.size(); ++k) set_ends(values[k], drawn, static_cast<Index>(k));
  return values;
}

std::vector<ScoreValue> scored_once(const Target& target, const Predictions& predictions,
                                    std::span<const double> targets) {
  const std::vector<Index> one_group(targets.size(), 0);
  check_scored(target, predictions, targets, one_group, kFewestDraws);
  const std::vector<ScoreEntry> entries = target.rule().scores(target, !predictions.decisions.empty());
  std::vector<ScoreValue> values(entries.size(), ScoreValue{kNan, kNan, kNan, kNan});
  if (targets.empty()) return values;
  const Examples examples{
      target, predictions.mean, predictions.deviation, targets, classes_of(target, targets), predictions.decisions};
  const std::vector<double> once(targets.size(), 1.0);
  for (std::size_t s = 0; s < entries.size(); ++s) values[s].value = entries[s].prepare(examples)(once);
  return values;
}

}  // namespace fovea::study
