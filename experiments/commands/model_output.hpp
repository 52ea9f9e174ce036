#pragma once
/// What a trained model is, as text and as JSON, and its parameters for other programs.

#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/experiments/commands/open_model.hpp"

namespace fovea::command {

/// Experiment, target, members, calibration, and the features with unit and training range.
std::string model_text(const OpenModel& opened);
Json model_json(const OpenModel& opened);

/// Which parameters go into a file, and how they are called.
struct ExportedWeights {
  std::string names;  ///< those of another program (LearnedTask::weight_names()); empty: ours
  Index member = 0;   ///< this one alone, from 1; 0: all
};

/// Members as one SafeTensors file: all of them, "member_K.NAME" each, or one under the plain names. Throws
/// StorageError; DataError for a member or names that the model does not have, and for several members under the names
/// of another program.
void export_safetensors(const OpenModel& opened, const std::string& path, const ExportedWeights& wanted);

}  // namespace fovea::command
