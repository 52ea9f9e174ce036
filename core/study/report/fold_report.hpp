#pragma once
/// What a cross-validated study writes beside what every study does.

#include "fovea/core/study/report/study_report.hpp"

namespace fovea::study {

/// Over `fold`: fold_cases, and of binary targets fold_auroc, fold_average_precision, fold_threshold, with mean and
/// standard deviation over folds (auroc_over_folds, auroc_deviation, ...). Of binary targets: the threshold of the
/// final model; calibration in bins of equal size, with the calibration line and the range of chance (tenth_floor_low,
/// tenth_floor_high: 90 % of 400 draws where risks are exactly right) in the figure "reliability"; and the
/// floors of event 2 and the calibration error (..._floor, ..._floor_low, ..._floor_high; see ScoreRange).
void write_folds(const StudyOutcome& outcome, const Examination& examined, const Random& random, Results& results);

}  // namespace fovea::study
