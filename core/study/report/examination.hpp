#pragma once
/// Scores of predictions of the tested cases beside those of simpler models.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// all: ours, the ridge model's, the base rate's, those of parts of the model, in this order; one row a tested row.
Examination examined(const StudyOutcome& outcome, const std::vector<Predictions>& all, const Random& random);

/// Of a test part, with baselines that learn from the training part. others: predictions of parts of the model.
Examination examine_test(const StudyOutcome& outcome, const std::vector<Predictions>& others, const Random& random);

}  // namespace fovea::study
