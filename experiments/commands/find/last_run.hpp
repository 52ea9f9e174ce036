#pragma once
/// Runs by name: `fovea predict particle.toptag jets.h5` means the last run of that experiment.

#include <string>

#include "fovea/core/lab/progress.hpp"

namespace fovea::command {

/// What has to be in the folder of a run that is meant.
enum class Wanted { any, report, model };

/// The word itself where a file or folder has that name; for the name of an experiment or of a bundled config the
/// folder of its last run in runs/ that has what is wanted, which the narrator is told; "": the last run of all. Other
/// words as they are. Throws DataError where there is no such run.
std::string run_called(const std::string& word, Wanted wanted, Narrator& narrator);

}  // namespace fovea::command
