#pragma once
/// Files of models that this domain writes itself: what they begin with, and a hash of all that they hold.

#include <string>

#include "fovea/core/data/results.hpp"

namespace fovea::fusion::model {

Dataset new_model(std::string_view experiment, int result_version);
void seal(Dataset& model);  ///< puts the hash of all else into the attribute model_hash

/// Of unknown origin. Throws DataError where the content does not match its hash, or another version trained it.
void check_seal(const std::string& source, const Dataset& model);
void check_model(const std::string& source, const Dataset& model, const char* experiment, int result_version);

/// Leaves the model in model.h5, and its hash in the results.
void keep_model(Dataset model, Results& results);

}  // namespace fovea::fusion::model
