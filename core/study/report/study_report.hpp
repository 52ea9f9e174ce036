#pragma once
/// What a study writes: arrays, figures, headlines and the verdict.

#include <vector>

#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// score_value, score_low, score_high over (predictor, score); sizes of the parts; curves of probabilities; learning
/// curves; attributions; figures and headlines.
void write_study(const StudyOutcome& outcome, const Examination& examined, const Explanation& explanation,
                 const std::vector<learning::TrainingReport>& reports, Results& results);

/// The verdict over all seeds: the first score with its interval beside the base rate and the ridge model. Where the
/// interval holds what the base rate has, it says that the model is no better than chance.
void conclude_study(Results& merged);

}  // namespace fovea::study
