#pragma once
/// Curves of predicted probabilities.

#include "fovea/core/data/results.hpp"
#include "fovea/core/study/cases/reading.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// Of two classes, ours beside the ridge model: the largest true positive rate at each false positive rate, and the
/// largest precision at each recall, on a grid. Nothing where one class alone was tested.
void write_binary_curves(const StudyOutcome& outcome, const Examination& examined, Results& results);

/// Predicted against observed frequency, of the first predictor; of several classes of the likeliest one. No bin has
/// fewer cases than Cases::smallest_cell.
void write_reliability(const StudyOutcome& outcome, const Examination& examined, Results& results);

/// Over "read_variable", where some case lacks one: in what share of the cases no value of it is (missing_share).
/// Counts below Cases::smallest_cell are not shown.
void write_missing(const Reading& reading, Results& results);

}  // namespace fovea::study
