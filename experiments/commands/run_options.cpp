#include "fovea/experiments/commands/run_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/lab/cluster/launcher.hpp"
#include "fovea/core/lab/directory/machine.hpp"

namespace fovea::command {

namespace {

/// Processes that a launcher started together would each compute the same.
void refuse_copies(const Arguments& arguments) {
  const auto process = process_of_step([](const char* name) { return std::getenv(name); });
  if (!process || process->count < 2 || arguments.has("shard") || arguments.has("points")) return;
  if (!arguments.ranks->alone()) return;
  throw UsageError(
      concat("this is process ", process->index, " of ", process->count,
             " that were started together, and each would compute the same; let them share a sweep: fovea ",
             "sweep CONFIG --shard auto; or compute one crowd together: fovea-mpi run CONFIG; or start one process: ",
             "--threads N uses more processors."));
}

}  // namespace

RunOptions run_options(const Arguments& arguments) {
  constexpr long long kMostThreads = 4096;
  constexpr double kUnasked = 3600;  // seconds that a person at a terminal did not mean to wait without a word
  refuse_copies(arguments);
  RunOptions options;
  options.output = arguments.text("output", "runs");
  options.threads = static_cast<int>(std::min(kMostThreads, arguments.integer("threads", 1, 0)));
  options.ranks = arguments.ranks;
  if (options.threads == 0 && options.ranks->on_processors() > 1)
    options.threads = std::max(1, processors() / static_cast<int>(options.ranks->on_processors()));
  options.jobs = static_cast<int>(std::min(kMostThreads, arguments.integer("jobs", 1, 0)));
  options.checkpoint_seconds = arguments.real("checkpoint-every", 0, 10);
  if (arguments.accepts("yes") && !arguments.has("yes") && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0)
    options.longest = kUnasked;
  options.force = arguments.has("force");
  options.fail_fast = arguments.has("fail-fast");
  if (arguments.has("shard") && arguments.has("points"))
    throw UsageError("--shard and --points both say which points are computed; give one of them.");
  if (arguments.has("shard")) {
    const ShardOf shard = shard_of(arguments.text("shard", ""), [](const char* name) { return std::getenv(name); });
    options.share = Share{static_cast<std::size_t>(shard.index), static_cast<std::size_t>(shard.count), {}};
  }
  if (arguments.has("points")) options.share = Share{1, 1, points_of(arguments.text("points", ""))};
  options.command_line = arguments.command_line;
  options.stop = &process_stop_flag();
  return options;
}

}  // namespace fovea::command
