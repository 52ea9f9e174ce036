#pragma once
/// From what was recorded of a simulation to results, figures and a verdict.

#include "fovea/core/lab/config.hpp"
#include "fovea/core/lab/results.hpp"
#include "fovea/domains/opinion/population.hpp"
#include "fovea/domains/opinion/recorder.hpp"

namespace fovea::opinion {

/// Where a simulation ended.
struct SimulateEnd {
  std::int64_t steps = 0;  ///< until at rest, or all
  bool at_rest = false;
  Matrix<double> opinions;
};

void write_simulation(const Config& config, const Population& population, const Dynamics& dynamics,
                      const Recorder& recorder, const SimulateEnd& end, Results& results);

/// Figures, headlines and the sentence; of one run or of a sweep.
void conclude_simulation(Results& merged);

}  // namespace fovea::opinion
