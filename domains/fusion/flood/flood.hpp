#pragma once
/// The learned question of pixels of scenes, which "fusion.flood" and "fusion.stress" ask, and what a config says of
/// its pixels.

#include "fovea/core/study/study.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

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

/// What a config says of scenes and their pixels.
struct FloodSettings {
  std::string scenes;  ///< their list; empty: simulated
  SceneReading reading;
  std::vector<std::string> classes;  ///< numbers of the labels; none: those of the training pixels
  SimulatedPlan simulation;          ///< of simulated scenes
  ChoicePlan choice{.training = 40000, .validation = 10000, .renditions = 8};
  ColumnPlan columns{{}, {3, 5, 11, 21}, {5, 11, 21}};
  double added_cover = 0.4, added_looks = 2;  ///< of the copies that teach: mean share of clouds, fewest looks
  Index added_shift = 2;                      ///< the same: largest shift of S1

  bool simulated() const { return scenes.empty(); }
  std::vector<std::int32_t> class_numbers() const;
  ColumnPlan column_plan() const;  ///< columns with the bands; of a resolved config
};
const DataKeys<FloodSettings>& flood_keys();

/// The scenes of a list, or simulated ones.
std::vector<TrainingScene> scenes_of(const FloodSettings& settings, const Random& random,
                                     std::vector<std::string>& notes);

/// What was read of scenes and left out of them.
study::Reading reading_of(const FloodSettings& settings, const std::vector<TrainingScene>& scenes,
                          const std::vector<ChosenPixel>& chosen, std::vector<std::string> notes);

/// Scores over `sky` (clear, clouds that hide S2, clouds that nobody announced; flood_scores.cpp), and the pictures.
void examine_flood(const study::StudyOutcome& outcome, Results& results);

/// Clouds over the tested pixels: where the mask of a scene has them, if masks are to examine (data.mask), else made.
Rendition clouds_of(const FloodSettings& settings, bool announced);

/// Maps of the scene with the most tested pixels, as it is and below clouds that nobody announced.
void show_scenes(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::fusion::flood
