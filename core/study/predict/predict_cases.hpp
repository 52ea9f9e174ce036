#pragma once
/// What a trained model predicts for new cases.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/study/ensemble/asked_times.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

/// What predicting new cases needs of the command.
struct PredictOptions {
  Index block = 1024;       ///< cases read at a time
  Index batch_tokens = 0;   ///< tokens computed at a time; 0: as many as the model likes
  TimeQuestion times = {};  ///< a row for each case and time, in place of one a case
  /// Whether blocks have the attention of tokens; DataError where the model has none.
  bool attention = false;
  std::string targets = {};           ///< as of NewFiles
  std::vector<std::string> set = {};  ///< as of NewFiles
};

/// Rows of predictions of one block.
struct PredictedBlock {
  const Cases& cases;
  const Predictions& predictions;
  const AskedTimes* asked = nullptr;             ///< when the cases are asked; nullptr: each once, at its end
  std::span<const Matrix<double>> outputs = {};  ///< of each member, before the calibration
  std::span<const double> attention = {};        ///< if asked for: one a token, sum 1 in each case, mean over members
};

/// What was predicted, and what was noticed.
struct PredictionSummary {
  Index cases = 0, rows = 0, known = 0;      ///< known: rows with a target; of several times the last of each case
  Index late = 0;                            ///< rows asked later than the end of their case
  Index with_content = 0, learned_from = 0;  ///< cases with content of their own; of one learned from
  Index unfamiliar = 0;                      ///< cases unlike those of the training (unfamiliar.hpp)
  bool fell_back = false;                    ///< whether their probabilities fell back
  double chance = 0;                         ///< that a case which was not learned from looks as if it was
  Reading reading;                           ///< what the reader knows of the files
  std::vector<Feature> features;
  Difference difference;
  std::vector<Score> scores;       ///< where targets are known: of all rows
  std::vector<ScoreValue> values;  ///< one a score
};

/// Predictions for the cases of a file, block after block in its order; memory does not grow with the file. The bits
/// of a case depend on it alone. Further files of the model's config, such as those of targets or folds, belong to
/// the training data and are not read. Throws DataError, and ConfigError as config_of_new_files() does.
PredictionSummary predict_cases(const LearnedTask& task, const TrainedModel& model, const std::string& data,
                                const PredictOptions& options, const std::function<void(const PredictedBlock&)>& write);

}  // namespace fovea::study
