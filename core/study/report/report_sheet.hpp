#pragma once
/// What a report of a learned question needs: the items of TRIPOD+AI (Collins et al. 2024, BMJ 385:e078378), each
/// filled from the run where it knows the answer, or a part of it.

#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// Every item in its order, in results.sheet(). Last of all, since it says what the results hold.
void write_sheet(const StudyOutcome& outcome, const Examination& examined, Results& results);

}  // namespace fovea::study
