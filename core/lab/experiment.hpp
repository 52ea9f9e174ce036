#pragma once
/// An experiment: one scientific question, asked with a config, answered with results. A domain adds one by deriving
/// from Experiment and adding a line to its experiments.inl.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/lab/cost/run_cost.hpp"
#include "fovea/core/lab/inputs.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea {

/// What a running experiment may ask of the lab around it.
class Workbench {
 public:
  virtual ~Workbench() = default;
  /// The state that an earlier, interrupted run of the same point last saved; empty for a fresh start.
  virtual std::optional<Dataset> restored() = 0;
  /// To be called wherever the experiment could go on from. The state is asked for only when it is time to save it
  /// (or when the run is to stop); after saving, throws Interrupted if the run was asked to stop.
  /// A run that is resumed must end with the same bytes as one that was never interrupted.
  virtual void checkpoint(const std::function<Dataset()>& state) = 0;
  /// The processes that compute the point together. Every one calls the same functions of the workbench in the same
  /// order; the state that it saves is the same in all.
  virtual const Ranks& ranks() const { return alone(); }
  /// To be called before restored(): a table of `total` rows of which each rank holds its part alone. It is saved with
  /// every state, though it is none of it, and restored() sets it; the rows stay where they are meanwhile.
  virtual void own_rows(Matrix<double>& rows, RankPart part, Index total);
  /// How far the run is, in [0, 1].
  virtual void progress(double fraction) = 0;
  /// A line for the log.
  virtual void log(const std::string& line) = 0;
  /// What the user should know before the end, such as a warning about the data.
  virtual void say(const std::string& sentence) { log(sentence); }
};

/// A workbench that saves nothing and is never interrupted: for tests and for use as a library.
std::unique_ptr<Workbench> plain_workbench();

class Predictor;

class Experiment {
 public:
  virtual ~Experiment() = default;
  virtual std::string_view name() const = 0;     ///< "opinion.temperature"
  virtual std::string_view summary() const = 0;  ///< one line
  /// Raised whenever the same config gives other numbers or findings than before; part of the run's hash.
  virtual int result_version() const = 0;
  virtual Schema schema() const = 0;
  /// Rules between keys that a range cannot say.
  virtual void check(const Config& config, Complaints& complaints) const;
  /// Refuses a checked config that several processes cannot compute together (core/ranks): any, unless an experiment
  /// says otherwise. Throws ConfigError.
  virtual void check_ranks(const Config& config) const;
  /// Reads the input files that a checked config of one point names; Inputs{} where there are none. Points that agree
  /// in every key that open() asks for share what it gives (open_inputs.hpp): so it asks for no other, and never for
  /// the seed. Throws DataError, StorageError.
  virtual Inputs open(const Config& config) const;
  /// Refuses what open() gave where run() would, such as a name that the file does not have: so `fovea check` sees what
  /// is wrong, and a run that cannot be leaves no folder. Of the points that share their inputs only the first is
  /// checked; inputs are not empty. Throws DataError, ConfigError.
  virtual void check_inputs(const Config& config, const Inputs& inputs) const;
  /// What a point is expected to take, as far as it can be told in a tenth of a second; RunCost{}: not known.
  virtual RunCost cost(const Config& config, const Inputs& inputs) const;
  /// One point: must depend on nothing but the config, what open() gave for it, and the random numbers. inputs: held by
  /// nobody else in a run of one point, so that memory is free once they are let go.
  virtual void run(const Config& config, Inputs inputs, const Random& random, Results& results,
                   Workbench& bench) const = 0;
  /// What applies the models that runs leave, where -o names this output (predictor.hpp); nullptr: runs leave none.
  virtual const Predictor* predictor(std::string_view output) const;
  /// Called once with the merged results of a sweep (dimensions: the swept keys, "seed", then the point's own; checks,
  /// figures, headlines and notes of the points are already in): adds what needs all points, such as the area of a
  /// hysteresis loop, and the verdict. Also called after a single run, with that run's results.
  virtual void conclude(Results& merged) const;
};

/// Says what is wrong with the value of a key, and where it was written.
using Complain = std::function<void(std::string_view key, const std::string& sentence)>;
inline Complain complain_about(const Config& config, Complaints& complaints) {
  return [&](std::string_view key, const std::string& sentence) { complaints.add(config.source(key), sentence); };
}

/// An experiment that knows its config as the struct that its keys fill.
template <typename Settings, const Keys<Settings>& (*keys)()>
class ExperimentOfKeys : public Experiment {
 public:
  Schema schema() const final {
    Schema schema;
    keys().declare(schema);
    return schema;
  }
  void check(const Config& config, Complaints& complaints) const final {
    check_settings(keys().read(config), complain_about(config, complaints));
  }

 private:
  /// Rules between keys that a range cannot say.
  virtual void check_settings(const Settings&, const Complain&) const {}
};

/// The same without input files.
template <typename Settings, const Keys<Settings>& (*keys)()>
class KeyedExperiment : public ExperimentOfKeys<Settings, keys> {
 public:
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const final {
    measure(keys().read(config), random, results, bench);
  }

 private:
  /// One point.
  virtual void measure(const Settings& settings, const Random& random, Results& results, Workbench& bench) const = 0;
};

}  // namespace fovea
