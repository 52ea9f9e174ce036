#pragma once
/// All keys of a study, for whoever has the task alone: a model file is read against them.

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::study {

/// The task's own keys, then those of the standard model (unless the task has its own) and of the study.
Schema study_schema(const LearnedTask& task);
/// The rules between them that a range cannot say.
void check_study(const LearnedTask& task, const Config& config, Complaints& complaints);

}  // namespace fovea::study
