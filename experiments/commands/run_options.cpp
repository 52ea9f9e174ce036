#include "fovea/experiments/commands/run_options.hpp"

#include <algorithm>

#include "fovea/core/base/stop_flag.hpp"

namespace fovea::command {

RunOptions run_options(const Arguments& arguments) {
  constexpr long long kMostThreads = 4096;
  RunOptions options;
  options.output = arguments.text("output", "runs");
  options.threads = static_cast<int>(std::min(kMostThreads, arguments.integer("threads", 1, 0)));
  options.jobs = static_cast<int>(std::min(kMostThreads, arguments.integer("jobs", 1, 0)));
  options.checkpoint_seconds = arguments.real("checkpoint-every", 0, 10);
  options.force = arguments.has("force");
  options.fail_fast = arguments.has("fail-fast");
  options.command_line = arguments.command_line;
  options.stop = &process_stop_flag();
  return options;
}

}  // namespace fovea::command
