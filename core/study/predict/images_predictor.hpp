#pragma once
/// Models that are applied in a way of their own: to images, say, in place of cases. An experiment derives from this,
/// too, and gives itself as its predictor().

#include <string>
#include <vector>

#include "fovea/core/lab/predictor.hpp"

namespace fovea::study {

const PredictorKind& images_kind();

class ImagesPredictor : public Predictor {
 public:
  struct Request {
    std::string data, output;           ///< what is predicted; where to
    bool rasters = false;               ///< pictures as files of their own, too
    std::vector<std::string> set = {};  ///< KEY=VALUE of keys that say how the data are read
  };
  /// Reads the data, writes the output, whole or not at all; sentences about both come back. `source`: the model's
  /// file, for messages; nothing in it is believed. Throws DataError, StorageError.
  virtual std::vector<std::string> apply(const std::string& source, const Dataset& model,
                                         const Request& request) const = 0;
  /// What the model is, in lines. Throws DataError.
  virtual std::string describe(const std::string& source, const Dataset& model) const = 0;

  const PredictorKind& kind() const override { return images_kind(); }
  Json predict(const PredictRequest& request) const override;
  std::string text(const ModelFile& model) const override { return describe(model.path, model.content); }
  std::optional<Json> json(const ModelFile&) const override { return std::nullopt; }
  void export_weights(const ModelFile& model, const std::string& path, const ExportedWeights& wanted) const override;
};

}  // namespace fovea::study
