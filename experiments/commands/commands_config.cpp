/// list, init, check: what there is, and whether a config is right.

#include <iostream>
#include <limits>

#include "fovea/core/attention/registry.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/config/sweep_grid.hpp"
#include "fovea/core/lab/sweep.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/json_text.hpp"

namespace fovea::command {

namespace {

/// A row of a table: a name and what it is; of a formula also what its parameters are and where it is from.
struct Row {
  std::string name, meaning, parameters, source;
};

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const std::vector<std::string> kTables{"experiments", "measures",    "methods", "models",
                                       "modifiers",   "normalizers", "scores"};

std::vector<Row> experiment_rows() {
  std::vector<Row> rows;
  const Catalogue catalogue = all_experiments();
  for (const std::string& name : catalogue.names())
    rows.push_back({name, std::string(catalogue.at(name).summary()), "", ""});
  return rows;
}

template <typename Entries>
std::vector<Row> formula_rows(const Entries& entries) {
  std::vector<Row> rows;
  for (const auto& entry : entries)
    rows.push_back({std::string(entry.name), std::string(entry.formula), std::string(entry.parameters),
                    std::string(entry.source)});
  return rows;
}

std::vector<Row> measure_rows() {
  std::vector<Row> rows;
  for (const opinion::measures::MeasureEntry& entry : opinion::measures::measures())
    rows.push_back(
        {std::string(entry.name), std::string(entry.definition),
         concat("in [", entry.low, ", ", entry.high, entry.high < kInfinite ? "]" : ")",
                entry.unit == "1" ? "" : concat(" ", entry.unit), entry.needs_network ? ", on a network" : ""),
         std::string(entry.source)});
  return rows;
}

std::vector<Row> method_rows() {
  std::vector<Row> rows;
  for (const lag::methods::MethodEntry& entry : lag::methods::methods())
    rows.push_back({std::string(entry.name), std::string(entry.meaning), "", std::string(entry.source)});
  return rows;
}

std::vector<Row> model_rows() {
  std::vector<Row> rows;
  for (const opinion::dynamics::ModelEntry& entry : opinion::dynamics::models())
    rows.push_back(
        {std::string(entry.name), std::string(entry.equation), std::string(entry.reads), std::string(entry.source)});
  return rows;
}

std::vector<Row> rows_of(const std::string& table) {
  if (table == "experiments") return experiment_rows();
  if (table == "measures") return measure_rows();
  if (table == "methods") return method_rows();
  if (table == "models") return model_rows();
  if (table == "modifiers") return formula_rows(modifiers<double>());
  if (table == "normalizers") return formula_rows(normalizers<double>());
  if (table == "scores") return formula_rows(scores<double>());
  const std::string close = nearest(table, kTables);
  throw UsageError(
      concat("'list' knows experiments, measures, methods, models, modifiers, normalizers and scores, but not '", table,
             "'", close.empty() ? "." : "; did you mean '" + close + "'?"));
}

std::string rows_text(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text;
  for (const Row& row : rows) {
    text += "  " + row.name + std::string(width - row.name.size() + 2, ' ') + row.meaning;
    if (!row.parameters.empty()) text += "; " + row.parameters;
    if (!row.source.empty()) text += " [" + row.source + "]";
    text += '\n';
  }
  return text;
}

Json row_json(const Row& row) {
  JsonObject object;
  object.add("name", row.name).add("meaning", row.meaning);
  if (!row.source.empty()) object.add("parameters", row.parameters).add("source", row.source);
  return object.done();
}

Json rows_json(const std::vector<Row>& rows) {
  std::vector<Json> items;
  for (const Row& row : rows) items.push_back(row_json(row));
  return json_list(items);
}

int list(const Arguments& arguments) {
  std::vector<std::string> tables = arguments.positional;
  if (tables.empty()) tables = kTables;
  std::string text;
  JsonObject object;
  for (const std::string& table : tables) {
    const std::vector<Row> rows = rows_of(table);
    text += table + ":\n" + rows_text(rows);
    object.add(table, rows_json(rows));
  }
  std::cout << (arguments.has("json") ? object.done().text + '\n' : text);
  return kDone;
}

int init(const Arguments& arguments) {
  const Catalogue catalogue = all_experiments();
  const std::string& name = arguments.positional[0];
  if (catalogue.find(name) == nullptr) {
    const std::string close = nearest(name, catalogue.names());
    throw UsageError(concat("there is no experiment '", name, "'; ",
                            close.empty() ? "see: fovea list experiments" : "did you mean '" + close + "'?"));
  }
  std::cout << init_toml(name, catalogue.at(name).summary(), *catalogue.find_schema(name));
  return kDone;
}

int check(const Arguments& arguments) {
  const Catalogue catalogue = all_experiments();
  const ChosenConfig chosen = choose_config(catalogue, arguments);
  const Config& config = chosen.config;
  check_points(catalogue.at(config.experiment), config);
  std::vector<std::string> changed;
  for (const Parameter& parameter : config.schema().parameters())
    if (!config.is_default(parameter.key))
      changed.push_back(parameter.key + " = " + to_text(config.value(parameter.key)));
  const std::int64_t points = sweep_size(config);
  if (arguments.has("json")) {
    JsonObject object;
    object.add("valid", true).add("experiment", config.experiment).add("points", points);
    object.add("changed", json_texts(changed));
    std::cout << object.done().text << '\n';
    return kDone;
  }
  std::cout << arguments.positional[0] << ": valid; " << config.experiment << ", " << points
            << (points == 1 ? " point\n" : " points\n");
  for (const std::string& line : changed) std::cout << "  " << line << '\n';
  return kDone;
}

}  // namespace

std::vector<Command> config_commands() {
  std::vector<Option> check_options = config_options();
  check_options.push_back(kQuick);
  for (const Option& option : sweep_options()) check_options.push_back(option);
  check_options.push_back(kJson);
  return {
      {"list",
       "the experiments, measures, methods, models, modifiers, normalizers and scores there are",
       "[experiments|measures|methods|models|modifiers|normalizers|scores]",
       0,
       5,
       {"fovea list", "fovea list modifiers --json"},
       {kJson},
       "",
       &list},
      {"init",
       "a commented config with every key, its unit, range and default",
       "EXPERIMENT",
       1,
       1,
       {"fovea init opinion.temperature > my.toml"},
       {},
       "",
       &init},
      {"check",
       "every mistake of a config at once; nothing is computed",
       "CONFIG|EXPERIMENT",
       1,
       1,
       {"fovea check my.toml", "fovea check my.toml --set agents.count=100 --seeds 20"},
       check_options,
       "Shows what differs from the defaults, and how many points a sweep has. The table [quick] is checked, too;\n"
       "its values are shown with --quick.",
       &check},
  };
}

}  // namespace fovea::command
