#pragma once
/// One branch of the temperature sweep: the crowd is carried from one temperature to the next, and the place where it
/// changes between one camp and several is then found by bisection.

#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/temperature/observe.hpp"

namespace fovea::opinion::temperature {

/// cooling: from the highest temperature down, beginning with all agents at the mean opinion (known ones at their own);
/// heating: from the lowest up, beginning with the anchors; fresh: every temperature from the anchors (the naive plot).
enum class Branch { cooling, heating, fresh };

struct WalkSettings {
  Branch branch = Branch::cooling;
  std::vector<double> temperatures;   ///< ascending, all > 0
  double tolerance = 1e-6;            ///< at rest: no opinion moves further than this in a step
  std::int64_t steps_max = 5000;      ///< at one temperature
  std::int64_t burn_in = 500;         ///< with noise: steps before the time average, at each temperature
  std::int64_t average_steps = 1000;  ///< with noise: steps of the time average
  bool find_transition = true;        ///< bisect (without noise only, and not on branch fresh)
  double resolution = 0.002;          ///< relative width of the final bracket
  bool plain_averaging = false;       ///< nobody stubborn, no noise: only consensus is at rest
};

/// What a branch found. The transition lies in [cold, hot]; both NaN when there is none on the grid.
struct WalkResult {
  std::vector<std::vector<double>> records;  ///< one for each temperature, ascending; see Observer
  double cold = 0;
  double hot = 0;
  std::int64_t bisections_not_at_rest = 0;  ///< bisection temperatures where the steps ran out
};

/// Walks the branch. Goes on from bench.restored() where there is such a state; asks for a checkpoint after each step.
/// On cooling the transition is the first change from one camp to more, on heating the last from more to one; a
/// bisection stops as soon as the crowd has left the side that it started from.
WalkResult walk(dynamics::Dynamics& crowd, const Observer& observer, const WalkSettings& settings, Workbench& bench);

}  // namespace fovea::opinion::temperature
