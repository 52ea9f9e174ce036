#pragma once
/// The keys of a learned question.

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/trees/companion.hpp"

namespace fovea::study {

/// What the keys of every learned question say.
struct StudySettings {
  SplitSettings split;
  FittingSettings fitting;
  TreeSettings trees;
  CalibrationMethod calibration = CalibrationMethod::temperature;
  Index explained_cases = 40;
};
const Keys<StudySettings>& study_keys();

/// The task's keys, those of the standard model unless the task has its own, and study_keys(). Throws as Schema does.
Schema study_schema(const LearnedTask& task);
/// Their rules, and the task's own.
void check_study(const LearnedTask& task, const Config& config, Complaints& complaints);

}  // namespace fovea::study
