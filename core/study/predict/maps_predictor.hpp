#pragma once
/// Models of a learned question that answer for images, too: maps in place of rows.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "fovea/core/study/predict/rows_predictor.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

const PredictorKind& maps_kind();

struct MapRequest {
  std::string data, output;       ///< what is predicted; where to
  std::string model, model_hash;  ///< the model's file, for messages, and the hash of its content
  std::vector<std::string> set;   ///< KEY=VALUE of keys that say how files are read
  std::size_t memory = 0;         ///< bytes that the process may take
};

class MapsPredictor final : public RowsPredictor {
 public:
  /// Reads the data, writes the maps, each whole or not at all; sentences about both come back. What was stopped goes
  /// on where it was. Throws DataError, ConfigError, StorageError, Interrupted.
  using WriteMaps = std::function<std::vector<std::string>(const TrainedModel& model, const MapRequest& request)>;

  MapsPredictor(const LearnedTask& task, WriteMaps write) : RowsPredictor(task), write_(std::move(write)) {}
  const PredictorKind& kind() const override { return maps_kind(); }
  Json predict(const PredictRequest& request) const override;

 private:
  WriteMaps write_;
};

}  // namespace fovea::study
