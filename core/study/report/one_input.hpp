#pragma once
/// The one input of a case that tells most by itself.

#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// The column of mean_inputs() that explains the largest share of the variance of the targets that were learned from
/// (correlation ratio, Pearson 1905; of numbers r^2), fitted as the ridge model is and asked about the tested cases:
/// its main score. In each fold it is chosen and fitted on the other folds; the name is that of most.
OneInput one_input(const StudyOutcome& outcome, const Examination& examined);

}  // namespace fovea::study
