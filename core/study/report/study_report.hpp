#pragma once
/// What a study writes: arrays, figures, headlines and the verdict.

#include <vector>

#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/study/report/explanation.hpp"
#include "fovea/core/study/scores.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::study {

/// Ours and those it is compared with, in this order; attention mixed with trees stands beside both alone.
inline const std::vector<std::string> kPredictors{"attention", "ridge", "base rate"};
inline const std::vector<std::string> kMixedPredictors{"attention with trees", "ridge", "base rate", "attention alone",
                                                       "trees alone"};

/// Everything about the test part, as one point of a sweep.
struct Examination {
  std::vector<Predictions> predictions;         ///< one for each predictor, rows without a known target left out
  std::vector<double> targets;                  ///< known
  std::vector<std::vector<ScoreValue>> scores;  ///< of each predictor, one for each of scores_of()
};

/// score_value, score_low, score_high over (predictor, score); sizes of the parts; curves of probabilities; learning
/// curves; attributions; figures and headlines.
void write_study(const StudyOutcome& outcome, const Examination& examined, const Explanation& explanation,
                 const std::vector<learning::TrainingReport>& reports, Results& results);

/// The verdict over all seeds: the first score with its interval beside the base rate and the ridge model. Where the
/// interval holds what the base rate has, it says that the model is no better than chance.
void conclude_study(Results& merged);

}  // namespace fovea::study
