#pragma once
/// A random walk small enough to be watched: for the tests of the lab.
///
///   position[k+1] = position[k] + speed + normal(k),  `steps` times, with a checkpoint opportunity after every step

#include <atomic>
#include <functional>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::support {

class ToyExperiment final : public Experiment {
 public:
  std::string_view name() const override { return "test.walk"; }
  std::string_view summary() const override { return "a random walk"; }
  int result_version() const override { return version; }
  Schema schema() const override;
  void check(const Config& config, Complaints& complaints) const override;
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override;
  void conclude(Results& merged) const override;

  RunCost cost(const Config&, const Inputs&) const override { return expected; }

  int version = 1;
  RunCost expected;  ///< of a point
  /// Called before each step with the number of steps taken by all runs of this object so far: may throw, may stop.
  std::function<void(int)> before_step = [](int) {};
  mutable std::atomic<int> steps_taken{0};
  mutable std::atomic<int> runs{0};
};

}  // namespace fovea::support
