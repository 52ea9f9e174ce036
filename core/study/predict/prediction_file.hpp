#pragma once
/// Predictions as HDF5, in the memory of a block: for programs, and for what does not fit into a row of text.
///
/// Arrays of one row a case, in the order of the cases:
///   id             int64 where the ids of the first block are whole numbers, else texts
///   binary         probability, spread, low, high, decision as in prediction_rows.hpp; logit: that of the probability;
///                  member_logits (members): before the calibration
///   others         prediction: the columns of Predictions::mean; spread, deviation; member_outputs (members x outputs)
///   NAME           the target under its own name, where the cases have targets; NaN where it is not known
///   attended, attention   if asked for (K): the tokens that are attended to most, as places in their case from 0, and
///                  their shares; -1 and 0 where a case has fewer

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/study/predict/predict_cases.hpp"

namespace fovea::study {

/// The logit of each row's probability, binary: exact also where the probability is 0 or 1 to the last bit.
std::vector<double> calibrated_logits(std::span<const Matrix<double>> outputs, const Calibration& calibration);

class PredictionFile {
 public:
  /// origin: attribute of the file. attended: K; 0: not asked for. Throws StorageError; DataError that starts with the
  /// path where the target is one a token.
  PredictionFile(const std::string& path, const Calibration& calibration, const Target& target,
                 const std::string& origin, Index attended);
  /// Throws DataError for an id that is no whole number where the first ones were, and for blocks with times.
  void add(const PredictedBlock& block);
  /// Puts the file in place.
  void finish() { file_.finish(); }

 private:
  void add_ids(const Cases& cases);
  void add_attended(const PredictedBlock& block);
  void put(const std::string& name, Index width, std::span<const double> numbers);
  void put(const std::string& name, StoredNumber stored, Index width, std::span<const std::int64_t> numbers);
  std::size_t array(const std::string& name, StoredNumber stored, Index width);

  std::string path_;
  const Calibration calibration_;
  const Target target_;
  Index attended_;
  Hdf5Columns file_;
  std::vector<std::pair<std::string, std::size_t>> arrays_;
  std::optional<bool> known_;    ///< whether the first block has targets
  std::optional<bool> numbers_;  ///< whether its ids are whole numbers
};

}  // namespace fovea::study
