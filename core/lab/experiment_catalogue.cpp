#include "fovea/core/lab/experiment_catalogue.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea {

void Catalogue::add(std::unique_ptr<Experiment> experiment) {
  const std::string name(experiment->name());
  require(entries_.count(name) == 0, "catalogue: there are two experiments named '", name, "'; names must be unique.");
  Schema schema = experiment->schema();
  entries_.emplace(name, Entry{std::move(experiment), std::move(schema)});
}

const Experiment* Catalogue::find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.experiment.get();
}

const Experiment& Catalogue::at(std::string_view name) const {
  if (const Experiment* found = find(name)) return *found;
  const std::string close = nearest(name, names());
  std::string all;
  for (const std::string& known : names()) all += (all.empty() ? "" : ", ") + known;
  const std::string hint = close.empty() ? "the experiments are: " + all + "." : "did you mean '" + close + "'?";
  throw ArgumentError(concat("there is no experiment '", name, "'; ", hint));
}

const Schema* Catalogue::find_schema(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second.schema;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> all;
  for (const auto& [name, entry] : entries_) all.push_back(name);
  return all;
}

Config Catalogue::read(const Place& place, const Overrides& overrides) const {
  return read_config(
      place, [this](std::string_view name) { return find_schema(name); }, names(), overrides);
}

}  // namespace fovea
