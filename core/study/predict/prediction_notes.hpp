#pragma once
/// What `fovea predict` tells beside its rows.

#include <optional>
#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/progress.hpp"
#include "fovea/core/study/predict/predict_cases.hpp"
#include "fovea/core/study/predict/recalibration.hpp"

namespace fovea::study {

/// What the reader noticed, and whether the model has learned from the cases, or they are unlike what it learned from.
std::vector<std::string> reading_notes(const PredictionSummary& summary);

/// What is to be known of the model itself before its rows are used.
void say_of_model(Narrator& narrator, const TrainedModel& model);

/// How the cases differ from those that the model learned from, and what their reader noticed.
void say_differences(Narrator& narrator, const PredictionSummary& summary, const Preparation& learned);

/// Scores, where targets are known; timed: cases were asked at times.
void say_scores(Narrator& narrator, const PredictionSummary& summary, bool timed);

/// All of it as one object. output: the file of the rows.
Json prediction_json(const PredictionSummary& summary, const Preparation& learned,
                     const std::optional<Recalibration>& recalibrated, const std::string& output);

}  // namespace fovea::study
