#include "fovea/core/lab/run_point.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "fovea/core/base/block_sizes.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/machine.hpp"

namespace fovea {

namespace {

Results with_presentation(Dataset data) {
  Results results;
  results.data = with_names(std::move(data));
  const auto presentation = results.data.documents.find("presentation");
  if (presentation != results.data.documents.end()) results.read_presentation(presentation->second);
  return results;
}

/// The config with the names of its files alone: where they lie on this machine is no part of a result, and may be
/// private.
Config without_folders(Config config) {
  for (const Parameter& parameter : config.schema().parameters()) {
    if (!parameter.names_inputs()) continue;
    std::vector<std::string> paths = paths_of(config, parameter);
    for (std::string& path : paths) path = std::filesystem::path(path).filename().string();
    const Source source = config.source(parameter.key);
    set_paths(config, parameter, paths, source);
  }
  return config;
}

/// What says which seed it was.
void label_seed(const Config& config, Dataset& data) {
  data.attributes["seed"] = std::to_string(config.seed.value_or(0));
  data.documents["resolved_toml"] = to_toml(without_folders(config));
}

/// The counts that a run's size is likely to come from.
std::string largest_counts(const Config& config) {
  constexpr std::int64_t kLarge = 1000;
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<std::int64_t, std::string>> counts;
  for (const Parameter& parameter : config.schema().parameters()) {
    std::int64_t most = 0;
    if (parameter.type == ValueType::integer) most = config.integer(parameter.key);
    if (parameter.type == ValueType::integers)
      for (const std::int64_t one : config.integers(parameter.key)) most = std::max(most, one);
    if (most >= kLarge) counts.emplace_back(-most, parameter.key);
  }
  std::sort(counts.begin(), counts.end());
  std::string text;
  for (std::size_t k = 0; k < std::min(kNamed, counts.size()); ++k)
    text += concat(k == 0 ? "" : ", ", counts[k].second, " = ", -counts[k].first);
  return text;
}

std::string out_of_memory(const Config& config) {
  const std::string counts = largest_counts(config);
  return concat("there was not enough memory; ",
                counts.empty() ? "give smaller data" : concat("lower one of the largest counts (", counts, ")"),
                ", or in a sweep use fewer --jobs.");
}

}  // namespace

Results compute_point(const Experiment& experiment, const Config& config, Inputs inputs, BenchPlan plan) {
  require(config.seed.has_value(), "compute_point: the config has no seed; resolve_seed() sets it.");
  LabWorkbench bench(std::move(plan));
  Results results;
  fix_block_sizes();
  try {
    experiment.run(config, std::move(inputs), Random(*config.seed), results, bench);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(out_of_memory(config));
  }
  return results;
}

void label_results(const Experiment& experiment, const Config& config, Results& results) {
  auto& attributes = results.data.attributes;
  const auto own = attributes.find("title");
  attributes["title"] = (!config.title.empty()                             ? config.title
                         : own != attributes.end() && config.sweep.empty() ? own->second
                                                                           : std::string(experiment.summary())) +
                        (config.preview ? " (preview)" : "");
  attributes["Conventions"] = "CF-1.10";
  attributes["source"] = "fovea " + build().version;
  attributes["experiment"] = std::string(experiment.name());
  attributes["result_version"] = std::to_string(experiment.result_version());
  label_seed(config, results.data);
  results.data.documents["defaults_toml"] = defaults_toml(config);
  results.data.documents["presentation"] = results.presentation();
}

Results read_results(const RunDirectory& directory) { return std::move(read_results(std::vector{directory}).front()); }

std::vector<Results> read_results(const std::vector<RunDirectory>& directories) {
  std::vector<Place> places;
  std::vector<std::size_t> files;  // of each directory
  for (const RunDirectory& directory : directories) {
    const std::size_t before = places.size();
    places.push_back(directory.result());
    if (exists(directory.machine())) places.push_back(directory.machine());
    files.push_back(places.size() - before);
  }
  std::vector<Dataset> data = read_datasets(places);
  std::vector<Results> all;
  std::size_t next = 0;
  for (const std::size_t count : files) {
    all.push_back(with_presentation(std::move(data[next])));
    if (count == 2) all.back().on_this_machine() = with_presentation(std::move(data[next + 1]));
    next += count;
  }
  return all;
}

void write_machine(const RunDirectory& directory, const Results& results) {
  if (results.machine() == nullptr) return discard(directory.machine());
  Dataset stored = results.machine()->data;
  stored.documents["presentation"] = results.machine()->presentation();
  write_dataset(directory.machine(), stored);
}

void write_model(const RunDirectory& directory, const Results& results) {
  if (results.model() != nullptr) write_dataset(directory.model(), *results.model());
}

void finish_point(const Experiment& experiment, const Config& config, Inputs inputs, const std::string& identity,
                  const RunDirectory& folder, BenchPlan plan) {
  make_folder(folder.place());
  remove_temporaries(folder.place());
  plan.folder = folder.place();
  Results results = compute_point(experiment, config, std::move(inputs), std::move(plan));
  label_results(experiment, config, results);
  write_machine(folder, results);
  write_model(folder, results);
  write_dataset(folder.result(), results.data);
  write_done(folder, {identity, content_hash(results.data), sha256_of_file(folder.result()), utc_now()});
  remove_checkpoints(folder.place());
}

bool copy_point(const Config& config, const std::string& identity, const RunDirectory& other,
                const RunDirectory& folder) {
  if (exists(other.machine()) || exists(other.model())) return false;
  Dataset data = read_own_dataset(other.result());
  label_seed(config, data);
  make_folder(folder.place());
  write_dataset(folder.result(), data);
  write_done(folder, {identity, content_hash(data), sha256_of_file(folder.result()), utc_now()});
  return true;
}

}  // namespace fovea
