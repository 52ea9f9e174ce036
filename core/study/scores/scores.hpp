#pragma once
/// How good predictions are, with intervals, beside simpler ones.

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/scores/decision_scores.hpp"

namespace fovea::study {

/// What stands beside a score.
enum class ScoreRange {
  interval,  ///< its 95 % interval over groups (percentiles of the bootstrap, Efron 1979)
  /// What it is where the risks are exactly right: the 5 % and 95 % quantiles over 400 draws of the outcomes. For
  /// scores that add up sizes of errors over bins; drawing cases again adds noise to every bin, so that percentiles of
  /// the bootstrap lie above the score itself.
  floor,
};

/// What is measured of a kind of target, whose rule lists them (targets/).
struct Score {
  std::string name;    ///< "auroc"
  std::string title;   ///< "AUROC"
  std::string source;  ///< author and year
  double best = 1;     ///< what a perfect prediction has: 1 of AUROC, 0 of an error, .9 of a coverage; NaN: no bound
  double chance = 0;   ///< what a prediction that knows nothing has; NaN: it depends on the data
  ScoreRange range = ScoreRange::interval;
};
/// decided: of binary predictions that come with decisions (cross-validated ones, and those of a model with a
/// threshold); then calibration in bins of equal size, the calibration line, observed over expected, and the two events
/// of the PhysioNet/CinC Challenge 2012 stand in place of the calibration error in bins of equal width.
std::vector<Score> scores_of(const Target& target, bool decided = false);

/// A measured score with its range (Score::range).
struct ScoreValue {
  double value = 0, low = 0, high = 0;
  double floor = std::numeric_limits<double>::quiet_NaN();  ///< of ScoreRange::floor: its mean; else NaN
};

/// One entry for each of scores_of(target, predictions have decisions). targets (rows) without NaN; groups (rows):
/// whole groups are drawn. draws: of the bootstrap, >= 10, and of a floor, at most 400. A score that the data cannot
/// tell (one class only) is NaN with a NaN interval.
std::vector<ScoreValue> scored(const Target& target, const Predictions& predictions, std::span<const double> targets,
                               std::span<const Index> groups, Index draws, const Random& random);

/// Each score of all rows with its 95 % interval, as scored() has it, all on the same draws.
std::vector<ScoreValue> with_intervals(const std::vector<WeightedScore>& scores, std::span<const Index> groups,
                                       Index draws, const Random& random);

/// The values alone, without intervals, in the memory of one score at a time.
std::vector<ScoreValue> scored_once(const Target& target, const Predictions& predictions,
                                    std::span<const double> targets);

}  // namespace fovea::study
