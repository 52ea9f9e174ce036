/// `fovea init EXPERIMENT`, and `--model NAME` for every experiment with a choice of models, and every model.

#include <sstream>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::model_keys {
namespace {

/// What a check and the look at the inputs say of a config, one line each.
std::string said_of(const Experiment& experiment, const Config& config) {
  const std::string all = support::complaints_of(experiment, config);
  if (!all.empty()) return all;
  const Inputs inputs = experiment.open(config);
  if (!inputs.empty()) experiment.check_inputs(config, inputs);
  return "";
}

/// Another number within its range, as near as it goes.
std::optional<double> another(const Parameter& parameter) {
  if (parameter.type != ValueType::real) return std::nullopt;
  const double value = std::get<double>(parameter.fallback);
  for (const double other : {value + 0.01, value - 0.01, value * 1.01, value * 0.99})
    if (other != value && parameter.range.contains(other)) return other;
  return std::nullopt;
}

}  // namespace

TEST_CASE("every experiment with a choice of models gives the keys of each, as a config that it takes",
          "[models][init]") {
  const Catalogue catalogue = all_experiments();
  std::set<std::string> told;
  for (const Domain& domain : domains())
    for (const ModelKeys& keys : domain.model_keys) {
      CHECK(told.insert(keys.experiment).second);
      const Experiment& experiment = catalogue.at(keys.experiment);
      const std::vector<std::string> models = keys.models();
      CHECK(catalogue.find_schema(keys.experiment)->find("model.name")->choices == models);
      for (const std::string& model : models) DYNAMIC_SECTION(keys.experiment << " --model " << model) {
          const Schema schema = keys.keys(model);
          const Config config =
              parse_config(init_toml(keys.experiment, experiment.summary(), schema), "my.toml", ".",
                           [&](std::string_view name) { return catalogue.find_schema(name); }, catalogue.names(), {});
          CHECK(config.text("model.name") == model);
          CHECK(said_of(experiment, config).empty());
          CHECK(schema.parameters().size() < catalogue.find_schema(keys.experiment)->parameters().size());
          for (const Parameter& parameter : schema.parameters()) {
            const std::optional<double> value = another(parameter);
            if (!parameter.key.starts_with("model.") || !value) continue;
            Config changed = config;
            changed.set(parameter.key, *value, {});
            const std::string said = said_of(experiment, changed);
            INFO(parameter.key << " = " << *value << ": " << said);
            CHECK(said.find("does not read it") == std::string::npos);
          }
        }
    }
  for (const std::string& name : catalogue.names())
    CHECK((catalogue.find_schema(name)->find("model.name") != nullptr) == (told.count(name) > 0));
}

TEST_CASE("every experiment takes the config that init gives, but for what only its user can say", "[models][init]") {
  const Catalogue catalogue = all_experiments();
  for (const std::string& name : catalogue.names()) DYNAMIC_SECTION(name) {
      const Experiment& experiment = catalogue.at(name);
      const Config config =
          parse_config(init_toml(name, experiment.summary(), *catalogue.find_schema(name)), "my.toml", ".",
                       [&](std::string_view one) { return catalogue.find_schema(one); }, catalogue.names(), {});
      const std::string said = support::complaints_of(experiment, config);
      CHECK(said.empty() == (name != "study.table"));
      std::istringstream lines(said);
      for (std::string line; std::getline(lines, line);)
        CHECK(line.find("is empty, but must name") != std::string::npos);
    }
}

}  // namespace fovea::model_keys
