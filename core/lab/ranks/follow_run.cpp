#include "fovea/core/lab/ranks/follow_run.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/thread_count.hpp"
#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/lab/run_point.hpp"

namespace fovea {

RunCost cost_of_ranks(RunCost whole, const Ranks& ranks) {
  const double count = static_cast<double>(ranks.size());
  whole.bytes *= static_cast<double>(ranks.on_machine()) / count;
  whole.least_seconds /= count;
  whole.most_seconds /= count;
  return whole;
}

Usage usage_of_others(const Ranks& ranks) {
  const Usage own = usage();
  const auto peak = static_cast<std::int64_t>(own.peak_memory_bytes);
  std::array<std::int64_t, 2> all{std::llround(1e6 * own.cpu_seconds), peak};
  ranks.sum(all);
  if (ranks.alone()) return {};
  return {1e-6 * static_cast<double>(all[0]) - own.cpu_seconds, static_cast<std::uint64_t>(all[1] - peak)};
}

BenchPlan bench_plan(const RunDirectory& directory, const RunOptions& options) {
  BenchPlan plan;
  plan.folder = directory.place();
  plan.interval_seconds = options.checkpoint_seconds;
  plan.stop = options.stop;
  plan.ranks = options.ranks;
  return plan;
}

RunSummary follow_run(const Experiment& experiment, const Config& config, OpenInputs& opened,
                      const RunDirectory& directory, const RunOptions& options) {
  RunSummary summary;
  summary.directory = directory;
  summary.found = !options.ranks->any(false);
  if (summary.found) return summary;
  const ThreadCount count(share_threads(options, 1).threads);
  summary.results = compute_point(experiment, config, opened.take(experiment, config), bench_plan(directory, options));
  usage_of_others(*options.ranks);
  return summary;
}

void refuse_ranks(const Experiment& experiment, const Config& config, const RunOptions& options) {
  if (options.ranks->alone()) return;
  if (!config.sweep.empty())
    throw UsageError(
        "several processes compute one run together, and this config is swept; let them share it: fovea "
        "sweep CONFIG --shard auto.");
  experiment.check_ranks(config);
}

}  // namespace fovea
