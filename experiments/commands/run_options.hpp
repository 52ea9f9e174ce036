#pragma once
/// From --output, --threads, --jobs, --checkpoint-every, --force and --fail-fast to what a run is told.

#include "fovea/core/lab/runner.hpp"
#include "fovea/experiments/command.hpp"

namespace fovea::command {

/// Throws UsageError for numbers that are none.
RunOptions run_options(const Arguments& arguments);

}  // namespace fovea::command
