#pragma once
/// What a model says of the cases that it learned from, beside what it computes.

#include <string>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/study/cases/case_hash.hpp"
#include "fovea/core/study/cases/split.hpp"
#include "fovea/core/study/model/model_variables.hpp"

namespace fovea::study {

struct DataOfModel {
  std::string reading = {};  ///< reading_json(); empty in models that were made without
  KnownCases known = {};
};
/// Of a model that learned from the training and validation part.
DataOfModel data_of_model(const Cases& cases, const Split& split);
DataOfModel data_of_model(const Cases& cases);  ///< of one that learned from all

/// As the document "reading" and the variables known_case and known_case_bits; nothing without a reading.
void add_data_of_model(Dataset& file, const DataOfModel& data);
bool has_data_of_model(const Dataset& file);
Dataset without_data_of_model(const Dataset& file);
/// Of a file of unknown origin. Throws DataError.
DataOfModel read_data_of_model(ModelVariables& variables, const Dataset& file);

}  // namespace fovea::study
