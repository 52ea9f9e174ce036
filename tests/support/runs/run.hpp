#pragma once
/// Experiments from the text of a config to concluded results, for tests.
///
///   run_of("opinion.simulate", "agents.count = 50\n")               the text of a config
///   run_of("lag.discover", {"lags.max=4", "method.beside=[]"})      KEY=VALUE, as after --set
///   run_of(config_of("opinion.phase", toml), bench)                 with a bench of one's own

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::study {
class LearnedTask;
}

namespace fovea::support {

/// What a test changes of an experiment's defaults.
struct Changes {
  Changes(std::string text) : toml(std::move(text)) {}
  Changes(const char* text) : toml(text) {}
  Changes(std::vector<std::string> set) : overrides{std::move(set), {}, {}, {}} {}
  Changes(std::initializer_list<std::string> set) : overrides{set, {}, {}, {}} {}
  Changes(Overrides given) : overrides(std::move(given)) {}
  std::string toml;  ///< below two lines that name the experiment and the seed
  Overrides overrides;
};

/// The experiment of this name, of all domains. Throws ArgumentError.
const Experiment& experiment_of(std::string_view name);

/// A config of seed 1, or that of the overrides; messages call its text test.toml. Throws ConfigError.
Config config_of(std::string_view name, const Schema& schema, const Changes& changes);
Config config_of(const Experiment& experiment, const Changes& changes = "");
Config config_of(std::string_view name, const Changes& changes = "");
Config config_of(const study::LearnedTask& task, const Changes& changes = "");
/// One of these axes, each KEY=VALUES as after --grid, and of this many seeds from 5 on.
Config swept_config_of(const Experiment& experiment, std::vector<std::string> axes, std::int64_t seeds = 1);

/// What the check of an experiment complains about, a line each.
std::string complaints_of(const Experiment& experiment, const Config& config);
std::string complaints_of(std::string_view name, const Changes& changes);

/// A point: checked, its inputs read and checked, run. seed: of the random numbers alone.
/// Throws ConfigError, DataError and what the run throws.
Results point_of(const Experiment& experiment, const Config& config, Workbench& bench, std::uint64_t seed = 1);

/// A run: a point of the config's seed, concluded, with the text of its page as the document "presentation".
Results run_of(const Experiment& experiment, const Config& config, Workbench& bench);
Results run_of(const Config& config, Workbench& bench);
Results run_of(const Config& config);
Results run_of(std::string_view name, const Changes& changes, std::uint64_t seed = 1);
Results run_of(const Experiment& experiment, const Changes& changes, std::uint64_t seed = 1);

/// Points of the seeds 1 to `seeds`, merged where there are several, and concluded.
Results swept_run_of(const Experiment& experiment, const Changes& changes, std::int64_t seeds);

/// Whether one of the notes has this part.
bool has_note(const Results& results, const std::string& part);

}  // namespace fovea::support
