#pragma once
/// An experiment on the series of a file, or on simulated ones, which knows its config as the struct that its keys
/// fill.

#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::series {

template <typename Settings, const Keys<Settings>& (*keys)()>
class SeriesExperiment : public ExperimentOfKeys<Settings, keys> {
 public:
  Inputs open(const Config& config) const final { return open_series(config); }
  void check_inputs(const Config& config, const Inputs& inputs) const final {
    check_series(keys().read(config), inputs);
  }
  void run(const Config& config, Inputs inputs, const Random& random, Results& results, Workbench& bench) const final {
    if (!inputs.empty())
      for (const Finding& found : opened_series(inputs)->findings) results.record(found);
    search(keys().read(config), std::move(inputs), random, results, bench);
  }

 private:
  /// Experiment::check_inputs().
  virtual void check_series(const Settings& asked, const Inputs& inputs) const = 0;
  /// One point.
  virtual void search(const Settings& asked, Inputs inputs, const Random& random, Results& results,
                      Workbench& bench) const = 0;
};

}  // namespace fovea::lag::series
