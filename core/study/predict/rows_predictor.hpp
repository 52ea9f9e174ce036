#pragma once
/// Models of a learned question, applied case by case: a row for each (prediction_rows.hpp).

#include "fovea/core/lab/predictor.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::study {

const PredictorKind& rows_kind();

class RowsPredictor : public Predictor {
 public:
  explicit RowsPredictor(const LearnedTask& task) : task_(task) {}
  const PredictorKind& kind() const override { return rows_kind(); }
  Json predict(const PredictRequest& request) const override;
  std::string text(const ModelFile& model) const override;
  std::optional<Json> json(const ModelFile& model) const override;
  void export_weights(const ModelFile& model, const std::string& path, const ExportedWeights& wanted) const override;

 protected:
  const LearnedTask& task_;
};

}  // namespace fovea::study
