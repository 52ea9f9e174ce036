#pragma once
/// What a trained model is, as text and as JSON, and its parameters for other programs.

#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/experiments/commands/open_model.hpp"

namespace fovea::command {

/// Experiment, target, members, calibration, and the features with unit and training range.
std::string model_text(const OpenModel& opened);
Json model_json(const OpenModel& opened);

/// All members as one SafeTensors file, "member_K.NAME" each. Throws StorageError.
void export_safetensors(const OpenModel& opened, const std::string& path);

}  // namespace fovea::command
