#pragma once
/// The two searches of find_transitions, and what they share.

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/phase/crowd.hpp"

namespace fovea::opinion::phase {

/// Walks that run side by side, each on its own, and can be saved at any time.
class PhaseTask {
 public:
  virtual ~PhaseTask() = default;
  virtual void advance(std::int64_t agent_steps) = 0;  ///< about so many, one step at least
  virtual bool done() const = 0;
  virtual double share() const = 0;  ///< of its work that is done, in [0, 1]
  virtual void visit(Archive archive) = 0;
};
using PhaseTasks = std::vector<std::unique_ptr<PhaseTask>>;

/// Runs the tasks to their ends, in slices of `slice` agent steps each, several at a time; a single one has all threads
/// for its own loops. after_slice is called between slices with the share of the work that is done.
void run_tasks(PhaseTasks& tasks, std::int64_t slice, const std::function<void(double share)>& after_slice);

/// The states of all tasks, one after the other under the same names. They must be there already, in the same order.
void visit_tasks(const Archive& archive, PhaseTasks& tasks);

inline constexpr Index kDensityBins = 96;  ///< of the opinions

/// `count` values from low to high.
std::vector<double> evenly_spaced(double low, double high, Index count, bool logarithmic);
/// The first grid: settings.points values, ascending.
std::vector<double> phase_grid(const PhaseSettings& settings);

struct DensityRange {
  double low = 0, high = 1;
};
/// Of the starting opinions of the largest crowd, with some room; the whole turn on the circle.
DensityRange density_range(const PhaseSettings& settings, const CrowdMaker& make);
/// The centres of its bins.
std::vector<double> density_bins(const DensityRange& range);

PhaseFindings search_still(const PhaseSettings& settings, const CrowdMaker& make, Workbench& bench);
PhaseFindings search_noisy(const PhaseSettings& settings, const CrowdMaker& make, const Random& random,
                           Workbench& bench);

}  // namespace fovea::opinion::phase
