#pragma once
/// A result that a command is given: a file, or the directory of a run.

#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::command {

/// The file itself, or the result file of a run directory. Throws DataError where there is none.
Place result_file(const std::string& path);

/// The data with their checks, headlines and figures, categories by their names.
Results presented(const Dataset& data);

}  // namespace fovea::command
