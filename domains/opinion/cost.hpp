#pragma once
/// What a run is expected to take, from the same work on fewer agents: for Experiment::cost() of every experiment with
/// a crowd.

#include <functional>
#include <memory>

#include "fovea/core/lab/cost/run_cost.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion {

struct WorkCost {
  double seconds = 0;  ///< of one call, on the threads that OpenMP has
  double bytes = 0;    ///< that were taken to prepare it and by the first call, and not given back
};

/// Makes the work for about so many agents, ready to be called again and again.
using PrepareWork = std::function<std::function<void()>(Index agents)>;

/// The cost for `agents` agents. From `fewest` on there are four times as many until a call takes 20 ms; the last two
/// sizes say whether time grows as their number or as its square. Memory grows as their number.
WorkCost work_cost(Index agents, const PrepareWork& prepare, Index fewest = 256);

struct CrowdCost : WorkCost {
  double least_steps = 0, most_steps = 0;  ///< until it is at rest
};

/// The cost of a step of a crowd, and its steps: `steps` where it never rests (tolerance 0, or noise); else those that
/// a crowd of up to 1000 agents takes, and where that does not rest within a tenth of a second from as many as it took
/// on. All 0 where the steps can take no second.
CrowdCost crowd_cost(Index agents, const std::function<std::shared_ptr<dynamics::Dynamics>(Index agents)>& make,
                     double steps, double tolerance, Index fewest = 256);

}  // namespace fovea::opinion
