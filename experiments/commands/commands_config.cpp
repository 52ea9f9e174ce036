/// list, init, check: what there is, and whether a config is right.

#include <algorithm>
#include <iostream>
#include <set>

#include "fovea/core/attention/registry.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/config/sweep_grid.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/sweep.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/bundled_configs.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

constexpr const char* kConfigs = "configs";

std::vector<TableRow> experiment_rows() {
  std::vector<TableRow> rows;
  const Catalogue catalogue = all_experiments();
  for (const std::string& name : catalogue.names())
    rows.push_back({name, std::string(catalogue.at(name).summary()), "", ""});
  return rows;
}

template <typename Entries>
std::vector<TableRow> formula_rows(const Entries& entries) {
  std::vector<TableRow> rows;
  for (const auto& entry : entries)
    rows.push_back({std::string(entry.name), std::string(entry.formula), std::string(entry.parameters),
                    std::string(entry.source)});
  return rows;
}

std::vector<TableRow> modifier_rows() { return formula_rows(modifiers<double>()); }
std::vector<TableRow> normalizer_rows() { return formula_rows(normalizers<double>()); }
std::vector<TableRow> score_rows() { return formula_rows(scores<double>()); }

std::vector<TableRow> finding_rows() {
  std::vector<TableRow> rows;
  for (const FindingKind& kind : all_finding_kinds())
    rows.push_back(
        {std::string(kind.name), concat(to_text(kind.role), ": ", kind.meaning), std::string(kind.members), ""});
  std::sort(rows.begin(), rows.end(), [](const TableRow& a, const TableRow& b) { return a.name < b.name; });
  return rows;
}

std::vector<TableRow> config_rows() {
  std::vector<TableRow> rows;
  for (const Domain& domain : domains())
    for (const BundledConfig& config : described_configs(domain.name))
      rows.push_back({config.name, config.title, config.time, config.needs});
  return rows;
}

/// Those of the engine and the lab, then those of the domains.
std::vector<Table> all_tables() {
  std::vector<Table> all{{kConfigs, &config_rows},      {"experiments", &experiment_rows}, {"findings", &finding_rows},
                         {"modifiers", &modifier_rows}, {"normalizers", &normalizer_rows}, {"scores", &score_rows}};
  for (const Domain& domain : domains()) all.insert(all.end(), domain.tables.begin(), domain.tables.end());
  return all;
}

/// Alphabetical, each once.
std::vector<std::string> table_names() {
  std::set<std::string> names;
  for (const Table& table : all_tables()) names.insert(table.name);
  return {names.begin(), names.end()};
}

std::string joined(const std::vector<std::string>& names, const char* between, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? between : last) + names[i];
  return text;
}

std::vector<TableRow> rows_of(const std::string& name) {
  bool known = false;
  std::vector<TableRow> rows;
  for (const Table& table : all_tables()) {
    if (table.name != name) continue;
    known = true;
    const std::vector<TableRow> more = table.rows();
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (known) return rows;
  const std::vector<std::string> names = table_names();
  const std::string close = nearest(name, names);
  throw UsageError(concat("'list' shows ", joined(names, ", ", " and "), ", but not '", name, "'",
                          close.empty() ? "." : "; did you mean '" + close + "'?"));
}

/// Those of some domains, all where none is named.
std::vector<TableRow> configs_of(const std::vector<std::string>& of) {
  std::vector<TableRow> rows = config_rows();
  std::erase_if(rows, [&](const TableRow& row) {
    return !of.empty() && std::find(of.begin(), of.end(), row.name.substr(0, row.name.find('/'))) == of.end();
  });
  return rows;
}

/// Name, time, title, and below it what it needs.
std::string configs_text(const std::vector<TableRow>& rows) {
  std::size_t names = 0, times = 0;
  for (const TableRow& row : rows)
    names = std::max(names, row.name.size()), times = std::max(times, row.parameters.size());
  std::string text;
  for (const TableRow& row : rows) {
    text += "  " + row.name + std::string(names - row.name.size() + 2, ' ') + row.parameters +
            std::string(times - row.parameters.size() + 2, ' ') + row.meaning + '\n';
    if (!row.source.empty()) text += std::string(names + times + 6, ' ') + "needs " + row.source + '\n';
  }
  return text;
}

Json configs_json(const std::vector<TableRow>& rows) {
  std::vector<Json> items;
  for (const TableRow& row : rows)
    items.push_back(JsonObject()
                        .add("name", row.name)
                        .add("title", row.meaning)
                        .add("time", row.parameters)
                        .add("needs", row.source)
                        .done());
  return json_list(items);
}

std::string rows_text(const std::vector<TableRow>& rows) {
  std::size_t width = 0;
  for (const TableRow& row : rows) width = std::max(width, row.name.size());
  std::string text;
  for (const TableRow& row : rows) {
    text += "  " + row.name + std::string(width - row.name.size() + 2, ' ') + row.meaning;
    if (!row.parameters.empty()) text += "; " + row.parameters;
    if (!row.source.empty()) text += " [" + row.source + "]";
    text += '\n';
  }
  return text;
}

Json row_json(const TableRow& row) {
  JsonObject object;
  object.add("name", row.name).add("meaning", row.meaning);
  if (!row.source.empty()) object.add("parameters", row.parameters).add("source", row.source);
  return object.done();
}

Json rows_json(const std::vector<TableRow>& rows) {
  std::vector<Json> items;
  for (const TableRow& row : rows) items.push_back(row_json(row));
  return json_list(items);
}

int list(const Arguments& arguments) {
  std::vector<std::string> tables, of;
  for (const std::string& word : arguments.positional) (find_domain(word) != nullptr ? of : tables).push_back(word);
  if (tables.empty()) tables = of.empty() ? table_names() : std::vector<std::string>{kConfigs};
  if (!of.empty() && tables != std::vector<std::string>{kConfigs})
    throw UsageError(
        concat("a domain such as ", of.front(), " is listed by its configs: fovea list configs ", of.front()));
  std::string text;
  JsonObject object;
  for (const std::string& table : tables) {
    const bool configs = table == kConfigs;
    const std::vector<TableRow> rows = configs ? configs_of(of) : rows_of(table);
    text += table + ":\n" + (configs ? configs_text(rows) : rows_text(rows));
    object.add(table, configs ? configs_json(rows) : rows_json(rows));
  }
  std::cout << (arguments.has("json") ? object.done().text + '\n' : text);
  return kDone;
}

/// The keys that count for one model of an experiment.
Schema keys_of_model(const std::string& experiment, const std::string& model) {
  for (const Domain& domain : domains())
    for (const ModelKeys& keys : domain.model_keys) {
      if (keys.experiment != experiment) continue;
      const std::vector<std::string> names = keys.models();
      if (std::find(names.begin(), names.end(), model) != names.end()) return keys.keys(model);
      const std::string close = nearest(model, names);
      throw UsageError(concat("--model ", model, ": ", experiment, " has no such model; ",
                              close.empty() ? "see: fovea list models" : "did you mean '" + close + "'?"));
    }
  throw UsageError(concat("--model: ", experiment, " has no choice of models (model.name); leave --model out."));
}

int init(const Arguments& arguments) {
  const Catalogue catalogue = all_experiments();
  const std::string& name = arguments.positional[0];
  if (catalogue.find(name) == nullptr) {
    const std::string close = nearest(name, catalogue.names()), bundled = config_path(name);
    if (!bundled.empty())
      throw UsageError(concat("'", name, "' is a bundled config; copy it: cp ", bundled, " my.toml"));
    throw UsageError(concat("there is no experiment '", name, "'; ",
                            close.empty() ? "see: fovea list experiments" : "did you mean '" + close + "'?"));
  }
  const Schema schema =
      arguments.has("model") ? keys_of_model(name, arguments.text("model", "")) : *catalogue.find_schema(name);
  std::cout << init_toml(name, catalogue.at(name).summary(), schema);
  return kDone;
}

/// With the threads and jobs that `run` takes without options.
std::string expected_cost(const Experiment& experiment, Config config, OpenInputs& opened) {
  if (!config.seed) resolve_seed(config, kDefaultSeed);
  const Sweep sweep(config);
  return cost_sentence(cost_of_points(experiment, sweep, opened, share_threads({}, sweep.size())),
                       static_cast<double>(memory_left()));
}

int check(const Arguments& arguments) {
  const Catalogue catalogue = all_experiments();
  const ChosenConfig chosen = choose_config(catalogue, arguments);
  const Config& config = chosen.config;
  OpenInputs opened;
  check_points(catalogue.at(config.experiment), config, opened);
  std::vector<std::string> changed;
  for (const Parameter& parameter : config.schema().parameters())
    if (!config.is_default(parameter.key))
      changed.push_back(parameter.key + " = " + to_text(config.value(parameter.key)));
  const std::int64_t points = sweep_size(config);
  const std::string cost = expected_cost(catalogue.at(config.experiment), config, opened);
  if (arguments.has("json")) {
    JsonObject object;
    object.add("valid", true).add("experiment", config.experiment).add("points", points);
    object.add("changed", json_texts(changed)).add("cost", cost);
    std::cout << object.done().text << '\n';
    return kDone;
  }
  std::cout << (chosen.path.empty() ? arguments.positional[0] : chosen.path) << ": valid; " << config.experiment << ", "
            << points << (points == 1 ? " point\n" : " points\n");
  for (const std::string& line : changed) std::cout << "  " << line << '\n';
  if (!cost.empty()) std::cout << cost << '\n';
  return kDone;
}

}  // namespace

std::vector<Command> config_commands() {
  std::vector<Option> check_options = config_options();
  check_options.push_back(kQuick);
  for (const Option& option : sweep_options()) check_options.push_back(option);
  check_options.push_back(kJson);
  const std::vector<std::string> tables = table_names();
  return {
      {"list",
       concat("the ", joined(tables, ", ", " and "), " there are"),
       concat('[', joined(tables, "|", "|"), "] [DOMAIN]"),
       0,
       tables.size() + domains().size(),
       {"fovea list", "fovea list configs opinion", "fovea list modifiers --json"},
       {kJson},
       "Of a config: its name as 'fovea run' takes it, the time on two cores, its title, and the files that it needs. "
       "With\n"
       "a domain only its configs are shown.",
       &list},
      {"init",
       "write a commented config with every key, its unit, range and default",
       "EXPERIMENT",
       1,
       1,
       {"fovea init opinion.temperature > my.toml", "fovea init opinion.simulate --model deffuant > my.toml"},
       {{"model", 0, "NAME", "only the keys that count for this model, of an experiment with model.name", false}},
       "",
       &init},
      {"check",
       "report all mistakes of a config; nothing is computed",
       "CONFIG|EXPERIMENT",
       1,
       1,
       {"fovea check my.toml", "fovea check my.toml --set agents.count=100 --seeds 20"},
       check_options,
       "Shows what differs from the defaults, how many points a sweep has, and what a long run is expected to take.\n"
       "The table [quick] is checked too; its values are shown with --quick.",
       &check},
  };
}

}  // namespace fovea::command
