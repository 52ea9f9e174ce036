#include "fovea/core/study/predict/prediction_output.hpp"

#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/predict/prediction_file.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"

namespace fovea::study {

namespace {

/// The header goes out with the first rows, so a refused file leaves none.
class CsvOfPredictions final : public PredictionOutput {
 public:
  CsvOfPredictions(std::unique_ptr<RowFile> rows, const OpenModel& opened, const Target& target,
                   const std::string& time, Index attended)
      : rows_(std::move(rows)), opened_(opened), target_(target), time_(time), attended_(attended) {
    if (attended > 0 && target.level != TargetLevel::per_case)
      throw DataError(concat(opened.file,
                             ": predicts each token of a case, so no token is attended to for the whole; "
                             "leave --attention out."));
  }

  void add(const PredictedBlock& block) override {
    std::string text;
    if (!known_) {
      known_ = has_target_column(target_, block.cases);
      text = prediction_header(
          target_, opened_.model.threshold.has_value(), time_, opened_.task.id_column(), *known_,
          time_.empty() ? opened_.model.members.front().model->side_columns() : std::vector<std::string>{}, attended_);
    }
    rows_->write(text + prediction_rows(target_, block.cases, block.predictions, block.asked, *known_, attended_,
                                        block.attention));
  }
  void finish() override { rows_->finish(); }

 private:
  std::unique_ptr<RowFile> rows_;
  const OpenModel& opened_;
  Target target_;
  std::string time_;
  Index attended_;
  std::optional<bool> known_;  ///< whether the first block has targets
};

class Hdf5OfPredictions final : public PredictionOutput {
 public:
  Hdf5OfPredictions(const std::string& output, const OpenModel& opened, const Target& target, Index attended)
      : file_(output, opened.model.calibration, target, concat(opened.task.name(), " ", opened.hash), attended) {}
  void add(const PredictedBlock& block) override { file_.add(block); }
  void finish() override { file_.finish(); }

 private:
  PredictionFile file_;
};

}  // namespace

bool is_hdf5_name(const std::string& path) { return path.ends_with(".h5") || path.ends_with(".hdf5"); }

std::unique_ptr<PredictionOutput> open_prediction_output(const PredictRequest& request, const OpenModel& opened,
                                                         const Target& target, const std::string& time,
                                                         Index attended) {
  const std::string output = request.output();
  if (is_hdf5_name(output)) return std::make_unique<Hdf5OfPredictions>(output, opened, target, attended);
  return std::make_unique<CsvOfPredictions>(request.open_rows(output), opened, target, time, attended);
}

}  // namespace fovea::study
