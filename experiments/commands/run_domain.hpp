#pragma once
/// `fovea run mechanism`: every config of a domain, one after the other, and one page over them all.

#include <string>

#include "fovea/core/lab/runner.hpp"
#include "fovea/experiments/command.hpp"
#include "fovea/experiments/console.hpp"

namespace fovea::command {

/// Runs (or finds) each bundled config of the domain in its own run directory, prints a line for each (or one JSON
/// object with --json) and writes <output>/<domain>.html. Of --set and --grid only --seed and --seeds make sense for
/// all configs; the others throw UsageError. A config that cannot be run does not keep the others from it. Returns
/// kDone; kSomePointsFailed if a config or a point of it failed to run; else kDiffers if a check does not hold.
int run_domain(const Catalogue& catalogue, const std::string& domain, const Arguments& arguments,
               const RunOptions& options, Console& console);

}  // namespace fovea::command
