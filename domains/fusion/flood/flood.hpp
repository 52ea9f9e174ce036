#pragma once
/// The learned question of pixels of scenes, which "fusion.flood" and "fusion.stress" ask, and what a config says of
/// its pixels.

#include "fovea/core/study/study.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion::flood {

/// Both learn alike; what is examined differs.
struct Question {
  std::string_view name, summary;
  int result_version = 1;
  void (*keys)(Schema& schema) = nullptr;  ///< of its own; nullptr: none
  void (*examine)(const study::StudyOutcome& outcome, Results& results) = nullptr;
};
std::unique_ptr<study::LearnedTask> flood_task(const Question& question);
std::unique_ptr<study::LearnedTask> flood_task();  ///< that of fusion.flood

ColumnPlan column_plan(const Config& config);  ///< of a resolved config
ChoicePlan choice_plan(const Config& config);
SceneReading scene_reading(const Config& config);
std::vector<std::int32_t> class_numbers(const Config& config);

/// The scenes that a config names; simulated ones without data.scenes.
std::vector<TrainingScene> scenes_of(const Config& config, const Random& random, std::vector<std::string>& notes);

/// Scores over `sky` (clear, clouds that hide S2, clouds that nobody announced; flood_scores.cpp), and the pictures.
void examine_flood(const study::StudyOutcome& outcome, Results& results);

/// Clouds over the tested pixels: where the mask of a scene has them, if masks are to examine (data.mask), else made.
Rendition clouds_of(const Config& config, bool announced);

/// Maps of the scene with the most tested pixels, as it is and below clouds that nobody announced.
void show_scenes(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::fusion::flood
