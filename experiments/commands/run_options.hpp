#pragma once
/// From --output, --threads, --jobs, --checkpoint-every, --force, --fail-fast, --shard and --points to what a run is
/// told.

#include "fovea/core/lab/runner.hpp"
#include "fovea/experiments/command.hpp"

namespace fovea::command {

/// Of every command that computes, or prints how to.
inline const Option kOutput{"output", 'o', "DIR", "folder of the run directories (default: runs)", false};

/// Throws UsageError for numbers that are none.
RunOptions run_options(const Arguments& arguments);

}  // namespace fovea::command
