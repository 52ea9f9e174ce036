#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/opinion/phase/searches.hpp"

namespace fovea::opinion::phase {

std::vector<double> evenly_spaced(double low, double high, Index count, bool logarithmic) {
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(logarithmic ? low * std::pow(high / low, share) : low + share * (high - low));
  }
  values.back() = high;
  return values;
}

std::vector<double> phase_grid(const PhaseSettings& settings) {
  return evenly_spaced(settings.low, settings.high, settings.points, settings.logarithmic);
}

DensityRange density_range(const PhaseSettings& settings, const CrowdMaker& make) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double control : {settings.low, settings.high}) {
    const auto crowd = make(control, settings.sizes.back(), 0, 0);
    if (on_circle(*crowd)) return {-std::numbers::pi, std::numbers::pi};
    low = std::min(low, crowd->agents().start.col(0).minCoeff());
    high = std::max(high, crowd->agents().start.col(0).maxCoeff());
  }
  // agents at the ends are inside, and a crowd that begins all alike has a range too
  const double margin = 0.02 * (high - low) + 1e-12;
  return {low - margin, high + margin};
}

std::vector<double> density_bins(const DensityRange& range) {
  std::vector<double> centres;
  for (Index k = 0; k < kDensityBins; ++k)
    centres.push_back(range.low +
                      (range.high - range.low) * (static_cast<double>(k) + 0.5) / static_cast<double>(kDensityBins));
  return centres;
}

namespace {

/// What the keys' ranges and rules hold off where a config is read; here for who uses the library.
void require_sound(const PhaseSettings& settings) {
  require(settings.low > 0 && settings.low < settings.high, "find_transitions: the range is [", settings.low, ", ",
          settings.high, "]; it must be 0 < low < high.");
  require(settings.points >= 4, "find_transitions: the first grid has ", settings.points,
          " points; at least 4 are needed.");
  require(!settings.sizes.empty() && settings.sizes.front() >= 2 &&
              std::is_sorted(settings.sizes.begin(), settings.sizes.end(), std::less_equal<>()),
          "find_transitions: the sizes must ascend, from 2 agents on.");
  require(settings.replicas >= 2 && settings.measure_every >= 1 && settings.steps >= settings.measure_every,
          "find_transitions: there must be at least 2 replicas, and steps >= measure_every >= 1.");
}

}  // namespace

void run_tasks(PhaseTasks& tasks, std::int64_t slice, const std::function<void(double share)>& after_slice) {
  for (;;) {
    std::vector<PhaseTask*> open;
    for (const auto& task : tasks)
      if (!task->done()) open.push_back(task.get());
    if (open.empty()) return;
    for_each_task(std::ssize(open), true, [&](Index k) { open[k]->advance(slice); });
    double share = 0;
    for (const auto& task : tasks) share += (task->done() ? 1 : task->share()) / static_cast<double>(tasks.size());
    after_slice(share);
  }
}

void visit_tasks(const Archive& archive, PhaseTasks& tasks) {
  archive.expect("tasks", std::to_string(tasks.size()));
  for (const auto& task : tasks) archive("task", *task);
}

PhaseFindings find_transitions(const PhaseSettings& settings, const CrowdMaker& make, const Random& random,
                               Workbench& bench) {
  require_sound(settings);
  PhaseFindings findings =
      settings.noisy ? search_noisy(settings, make, random, bench) : search_still(settings, make, bench);
  bench.progress(1);
  return findings;
}

}  // namespace fovea::opinion::phase
