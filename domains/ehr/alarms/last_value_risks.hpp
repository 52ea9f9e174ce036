#pragma once
/// What alarms of attention are compared with: a ridge model of the last value of each variable.

#include <vector>

#include "fovea/core/study/study.hpp"

namespace fovea::ehr::alarms {

/// Of each case at each of the times, by the ridge model (core/study/baselines) of its fold: the prepared last value of
/// each class up to that time (0 without one), and whether there was any. It learns from the fold's training part at
/// up to eight of the times, spread evenly. Rows: cases; columns: times, ascending. The outcome must have folds.
Matrix<double> last_value_risks(const study::StudyOutcome& outcome, const std::vector<double>& times);

/// Rows of the columns that it learns from: one for each time. inputs: prepared; without presence marks of no value.
Matrix<double> last_values_at(const study::Cases& cases, const Matrix<float>& inputs, Index item,
                              const std::vector<double>& times);

}  // namespace fovea::ehr::alarms
