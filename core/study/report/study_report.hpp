#pragma once
/// What a study writes: arrays, figures, headlines and the verdict.

#include <optional>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"
#include "fovea/core/study/report/findings.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// score_value, score_low, score_high over (predictor, score); sizes of the parts; curves of probabilities; folds; net
/// benefit; what is missing; subgroups; attributions; learning curves; figures, headlines and the sheet.
void write_study(const StudyOutcome& outcome, const Examination& examined, const Explanation& explanation,
                 const std::vector<learning::TrainingReport>& reports, const Random& random, Results& results);

/// The facts that the verdict is made of, besides scores: doubts.hpp.
void write_doubts(const StudyOutcome& outcome, const Examination& examined, Results& results);

/// The verdict over all seeds: first what is simpler and better by more than the interval, then the main score with its
/// interval against chance and beside the ridge model, then doubts.
void conclude_study(Results& merged);
/// The main score where it is no better than chance, or worse.
std::optional<AgainstChance> not_better(const Results& merged);

}  // namespace fovea::study
