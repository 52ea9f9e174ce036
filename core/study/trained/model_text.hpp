#pragma once
/// What a trained model is, as text and as JSON, and its parameters for other programs.

#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/predictor.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

/// A model that was read, checked and built again.
struct OpenModel {
  const LearnedTask& task;
  std::string file;
  std::string hash;  ///< of the file's content; the run's result has it as /model_hash
  TrainedModel model;
};
OpenModel open_model(const LearnedTask& task, const ModelFile& file);

/// Experiment, target, members, calibration, and the features with unit and training range.
std::string model_text(const OpenModel& opened);
Json model_json(const OpenModel& opened);

/// Members as one SafeTensors file: all of them, "member_K.NAME" each, or one under the plain names. Throws
/// StorageError; DataError for a member or names that the model does not have, and for several members under the names
/// of another program.
void export_safetensors(const OpenModel& opened, const std::string& path, const ExportedWeights& wanted);

}  // namespace fovea::study
