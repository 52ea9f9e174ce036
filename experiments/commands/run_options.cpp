#include "fovea/experiments/commands/run_options.hpp"

#include <unistd.h>

#include <algorithm>

#include "fovea/core/base/stop_flag.hpp"

namespace fovea::command {

RunOptions run_options(const Arguments& arguments) {
  constexpr long long kMostThreads = 4096;
  constexpr double kUnasked = 3600;  // seconds that a person at a terminal did not mean to wait without a word
  RunOptions options;
  options.output = arguments.text("output", "runs");
  options.threads = static_cast<int>(std::min(kMostThreads, arguments.integer("threads", 1, 0)));
  options.jobs = static_cast<int>(std::min(kMostThreads, arguments.integer("jobs", 1, 0)));
  options.checkpoint_seconds = arguments.real("checkpoint-every", 0, 10);
  if (arguments.accepts("yes") && !arguments.has("yes") && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0)
    options.longest = kUnasked;
  options.force = arguments.has("force");
  options.fail_fast = arguments.has("fail-fast");
  options.command_line = arguments.command_line;
  options.stop = &process_stop_flag();
  return options;
}

}  // namespace fovea::command
