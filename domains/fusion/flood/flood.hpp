#pragma once
/// The learned question "fusion.flood", and what a config says of its pixels.

#include "fovea/core/study/study.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion::flood {

std::unique_ptr<study::LearnedTask> flood_task();

ColumnPlan column_plan(const Config& config);  ///< of a resolved config
SceneReading scene_reading(const Config& config);
std::vector<std::int32_t> class_numbers(const Config& config);

/// The scenes that a config names; simulated ones without data.scenes.
std::vector<TrainingScene> scenes_of(const Config& config, std::vector<std::string>& notes);

/// Over `sky` (clear, 45 % of S2 hidden): sky_accuracy, sky_mean_iou, and the same where S2 is hidden; maps of the
/// scene with the most tested pixels.
void examine_scenes(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::fusion::flood
