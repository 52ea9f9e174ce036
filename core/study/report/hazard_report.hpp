#pragma once
/// What a study of hazards writes beside what every study does.

#include "fovea/core/study/report/study_report.hpp"

namespace fovea::study {

/// Of the tested cases, with 95 % intervals of Aalen & Johansen (1978): of each end its incidence by the end of each
/// interval, predicted and observed (end_predicted, end_observed, over end and time); of the first end the same in
/// thirds of the cases by predicted risk (group_predicted, group_observed, over risk_group and time), and of each end
/// by the horizon in tenths by its risk (tenth_predicted, tenth_observed, over end and risk_tenth). Nothing below
/// kFewestForHazards cases.
void write_hazards(const StudyOutcome& outcome, const Examination& examined, Results& results);

inline constexpr Index kFewestForHazards = 100;  ///< so that a tenth has 10

}  // namespace fovea::study
