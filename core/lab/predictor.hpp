#pragma once
/// A predictor applies a model that an experiment left (Results::keep_model) to new data, and says what the model is:
/// `fovea predict`, `fovea inspect` and `fovea export` ask it. It declares its options, as a door does (door.hpp).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/core/lab/progress.hpp"

namespace fovea {

/// A model file as it was read; nothing in it is believed.
struct ModelFile {
  std::string path;  ///< for messages
  Dataset content;
};

/// Rows that go to stdout, or to a file that is there only when it is whole.
class RowFile : public RowSink {
 public:
  virtual void finish() = 0;  ///< puts the file in place
};

/// What a prediction gets of the command.
struct PredictRequest {
  const ModelFile& model;
  const Arguments& arguments;  ///< checked; their operands are MODEL and DATA
  Narrator& narrator;
  std::function<std::unique_ptr<RowFile>(const std::string& path)> open_rows;  ///< "": stdout; throws StorageError

  const std::string& data() const { return arguments.positional[1]; }
  std::string output() const { return arguments.text("output", ""); }
};

/// Models that are applied in one way.
struct PredictorKind {
  std::string models;           ///< what such models do: "answer case by case"
  std::string wanted;           ///< what DATA is: "the cases to predict"
  std::vector<Option> options;  ///< all that it takes
};

/// Which parameters go into a file, and how they are called.
struct ExportedWeights {
  std::string names;       ///< those of another program (LearnedTask::weight_names()); empty: ours
  std::size_t member = 0;  ///< this one alone, from 1; 0: all
};

class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual const PredictorKind& kind() const = 0;
  /// Reads DATA and writes what the model says of it, whole or not at all; what is worth a sentence goes to the
  /// narrator. Returns the summary that --json prints. Throws UsageError, DataError, ConfigError, StorageError,
  /// Interrupted (process_stop_flag()).
  virtual Json predict(const PredictRequest& request) const = 0;
  /// What the model is, in lines. Throws DataError.
  virtual std::string text(const ModelFile& model) const = 0;
  /// The same for programs; nullopt: the arrays of the file say it. Throws DataError.
  virtual std::optional<Json> json(const ModelFile& model) const = 0;
  /// Writes the parameters as a SafeTensors file. Throws StorageError; DataError for a member or names that the model
  /// does not have, and where parameters are not exported.
  virtual void export_weights(const ModelFile& model, const std::string& path, const ExportedWeights& wanted) const = 0;
};

}  // namespace fovea
