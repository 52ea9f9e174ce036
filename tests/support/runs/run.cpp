#include "fovea/tests/support/runs/run.hpp"

#include <algorithm>

#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::support {

const Experiment& experiment_of(std::string_view name) {
  static const Catalogue all = all_experiments();
  return all.at(name);
}

Config config_of(std::string_view name, const Schema& schema, const Changes& changes) {
  const std::string known(name);
  Config config = changes.toml.empty()
                      ? default_config(name, schema, changes.overrides)
                      : parse_config(
                            "experiment = \"" + known + "\"\nseed = 1\n" + changes.toml, "test.toml", ".",
                            [&](std::string_view) { return &schema; }, {known}, changes.overrides);
  if (!config.seed) resolve_seed(config, 1);
  return config;
}

Config config_of(const Experiment& experiment, const Changes& changes) {
  return config_of(experiment.name(), experiment.schema(), changes);
}

Config config_of(std::string_view name, const Changes& changes) { return config_of(experiment_of(name), changes); }

Config config_of(const study::LearnedTask& task, const Changes& changes) {
  return config_of(task.name(), study::study_schema(task), changes);
}

Config swept_config_of(const Experiment& experiment, std::vector<std::string> axes, std::int64_t seeds) {
  Overrides given;
  given.grid = std::move(axes);
  given.seeds = seeds;
  given.seed = 5;
  return config_of(experiment, given);
}

std::string complaints_of(const Experiment& experiment, const Config& config) {
  Complaints complaints;
  experiment.check(config, complaints);
  std::string all;
  for (const std::string& line : complaints.lines()) all += line + '\n';
  return all;
}

std::string complaints_of(std::string_view name, const Changes& changes) {
  return complaints_of(experiment_of(name), config_of(name, changes));
}

Results point_of(const Experiment& experiment, const Config& config, Workbench& bench, std::uint64_t seed) {
  Complaints complaints;
  experiment.check(config, complaints);
  complaints.raise();
  const Inputs inputs = experiment.open(config);
  if (!inputs.empty()) experiment.check_inputs(config, inputs);
  Results results;
  experiment.run(config, inputs, Random(seed), results, bench);
  return results;
}

Results run_of(const Experiment& experiment, const Config& config, Workbench& bench) {
  Results results = point_of(experiment, config, bench, *config.seed);
  experiment.conclude(results);
  results.data.documents["presentation"] = results.presentation();
  return results;
}

Results run_of(const Config& config, Workbench& bench) {
  return run_of(experiment_of(config.experiment), config, bench);
}

Results run_of(const Config& config) { return run_of(config, *plain_workbench()); }

Results run_of(std::string_view name, const Changes& changes, std::uint64_t seed) {
  return run_of(experiment_of(name), changes, seed);
}

Results run_of(const Experiment& experiment, const Changes& changes, std::uint64_t seed) {
  Config config = config_of(experiment, changes);
  config.seed = seed;
  return run_of(experiment, config, *plain_workbench());
}

Results swept_run_of(const Experiment& experiment, const Changes& changes, std::int64_t seeds) {
  const Config config = config_of(experiment, changes);
  std::vector<Results> points;
  std::vector<std::int64_t> numbers;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    points.push_back(point_of(experiment, config, *plain_workbench(), static_cast<std::uint64_t>(seed)));
    numbers.push_back(seed);
  }
  std::vector<const Results*> addresses;
  for (const Results& point : points) addresses.push_back(&point);
  Results merged = seeds == 1 ? points.front() : merge_results({{"seed", numbers, "1", "seed"}}, addresses);
  experiment.conclude(merged);
  return merged;
}

bool has_note(const Results& results, const std::string& part) {
  return std::any_of(results.notes().begin(), results.notes().end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace fovea::support
