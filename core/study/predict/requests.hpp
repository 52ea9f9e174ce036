#pragma once
/// What predictors of all kinds check and tell.

#include <string>
#include <vector>

#include "fovea/core/lab/predictor.hpp"

namespace fovea::study {

/// Throws UsageError where an option names the file of DATA itself.
void check_is_not_data(const Arguments& arguments, const std::string& option, const std::string& path);
/// Throws DataError where there is no DATA.
void check_data_is_there(const PredictRequest& request, const PredictorKind& kind);
/// Says all, and gives the summary of a prediction of which no more is to be told.
Json told(const PredictRequest& request, const std::vector<std::string>& sentences);

}  // namespace fovea::study
