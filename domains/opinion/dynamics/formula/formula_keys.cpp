#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"

namespace fovea::opinion::dynamics {

namespace {

using Number = std::pair<std::string, double>;

const Keys<Number>& number_keys() {
  static const auto keys = Keys<Number>()
                               .key("name", &Number::first, "name by which formulas read it")
                               .key("value", &Number::second, Range::any(), "", "value of the number of that name");
  return keys;
}

/// Adds a complaint where it throws; whether it did not.
template <typename Work>
bool holds(const char* key, society::KeyRules& rules, const Work& work) {
  try {
    work();
    return true;
  } catch (const ArgumentError& error) {
    rules.unless(false, key, error.what());
    return false;
  }
}

/// Agents may bring their own numbers.
FormulaSurroundings surroundings_of(const society::PopulationSettings& population) {
  return {population.components, population.network.kind != society::NetworkKind::none, true, true, true, true};
}

std::optional<FormulaModel> readable_model(const ModelSettings& model, const FormulaSurroundings& surroundings,
                                           society::KeyRules& rules) {
  bool readable = holds("formula.parameters", rules, [&] { require_parameters(model.formula); });
  readable &= holds("formula.update", rules, [&] { update_formula(model, surroundings); });
  if (model.formula.step == "together") {
    readable &= holds("formula.influence", rules, [&] { influence_formula(model, surroundings); });
    readable &= holds("formula.value", rules, [&] { value_formula(model, surroundings); });
  }
  if (!readable) return std::nullopt;
  return FormulaModel(model, surroundings);
}

/// True where a formula cannot be read.
template <typename Ask>
bool is_of_formulas(const ModelSettings& model, const society::PopulationSettings& population, const Ask& ask) {
  try {
    return ask(FormulaModel(model, surroundings_of(population)));
  } catch (const ArgumentError&) {
    return true;
  }
}

/// Keys of hearing where nothing is heard.
void check_hearing(const FormulaModel& model, society::KeyRules& rules) {
  if (!model.hearing.empty()) return;
  for (const char* key : {"formula.influence", "formula.normaliser", "formula.value"})
    rules.unless(!rules.given(key), key, key, " is given, but ",
                 model.pairs ? "in formula.step = \"pairs\" agents hear nobody but the one they meet."
                             : "formula.update does not read h, what is heard.",
                 " Remove the key.");
}

void check_read_keys(const FormulaSettings& formula, const FormulaModel& model, society::KeyRules& rules) {
  for (const FormulaName& name : formula_names()) {
    if (name.key.empty()) continue;
    const std::string key = concat("model.", name.key);
    rules.unless(!rules.given(key) || model.mentions(name.name), key, key, " is given, but no formula reads ",
                 name.name, ". Remove the key.");
  }
  for (const auto& [name, value] : formula.parameters)
    rules.unless(model.mentions(name), "formula.parameters", "formula.parameters has '", name,
                 "', but no formula reads it. Remove it.");
}

}  // namespace

const Keys<FormulaSettings>& formula_keys() {
  using Formula = FormulaSettings;
  static const auto keys =
      Keys<Formula>()
          .key("formula.influence", &Formula::influence, "influence of x_j on x_i; `fovea list formula` has the names")
          .added_later()
          .choice("formula.normaliser", &Formula::normaliser, {"share", "softmax", "crowd", "sum"},
                  "weights: influence / its sum, exp(influence) / its sum, influence / number heard, influence")
          .added_later()
          .key("formula.value", &Formula::value, "what is heard of x_j")
          .added_later()
          .key("formula.update", &Formula::update,
               "the next opinion, of x, of what is heard (h), the start (x0) and other names")
          .added_later()
          .choice("formula.step", &Formula::step, {"together", "pairs"},
                  "all agents at once, or N meetings of two, each of which takes the update of x_i and x_j")
          .added_later()
          .also([](Schema& schema) {
            Schema number, column;
            number_keys().declare(number);
            society::own_column_keys().declare(column);
            schema
                .tables("formula.parameters",
                        {{"number", "a number of one's own", number},
                         {"column", "a number that each agent has of its own, from a column of start.file", column}},
                        "numbers that formulas read by names of one's own")
                .added_later();
          });
  return keys;
}

FormulaSettings formula_settings(const Config& config) {
  FormulaSettings settings = formula_keys().read(config);
  for (const ConfigTable& table : config.tables("formula.parameters"))
    settings.parameters.push_back(table.type() == "column" ? Number{society::own_column_keys().read(table).name, kNan}
                                                           : number_keys().read(table));
  return settings;
}

void check_formula(const ModelSettings& model, const society::PopulationSettings& population,
                   society::KeyRules& rules) {
  if (model.model != "formula") {
    for (const std::string& key : rules.given_keys("formula."))
      rules.unless(false, key, key, " is given, but counts for model.name = \"formula\" alone. Remove the key.");
    return;
  }
  const std::optional<FormulaModel> formulas = readable_model(model, surroundings_of(population), rules);
  if (!formulas) return;
  check_hearing(*formulas, rules);
  check_read_keys(model.formula, *formulas, rules);
  const auto& numbers = model.formula.parameters;
  const auto own = std::find_if(numbers.begin(), numbers.end(), [](const auto& one) { return std::isnan(one.second); });
  rules.unless(own == numbers.end() || population.start.kind == society::StartKind::file, "formula.parameters",
               "formula.parameters reads '", own == numbers.end() ? "" : own->first, "' from a column, but ",
               rules.said("start.kind"), " has no table of agents; set start.kind = \"file\" and start.file.");
  for (const char* key : {"bots.opinions", "media.opinions"})
    rules.unless((!formulas->pairs && own == numbers.end()) || !rules.given(key), key, key,
                 formulas->pairs ? ": in formula.step = \"pairs\" agents meet, and reach has no effect"
                                 : ": bots have no numbers of their own columns",
                 "; give bots in start.file, with the column kind.");
  rules.unless(!formulas->pairs || !population.network.directed, "network.directed",
               "network.directed = true, but in formula.step = \"pairs\" agents that meet move one another.");
}

bool formulas_read(const ModelSettings& model, const society::PopulationSettings& population, std::string_view field) {
  return is_of_formulas(model, population, [&](const FormulaModel& formulas) {
    return std::any_of(formula_names().begin(), formula_names().end(),
                       [&](const FormulaName& name) { return name.key == field && formulas.mentions(name.name); });
  });
}

bool formulas_hear(const ModelSettings& model, const society::PopulationSettings& population) {
  return is_of_formulas(model, population, [](const FormulaModel& formulas) { return !formulas.hearing.empty(); });
}

bool formulas_read_time(const ModelSettings& model, const society::PopulationSettings& population) {
  return is_of_formulas(model, population, [](const FormulaModel& formulas) { return formulas.mentions("t"); });
}

bool formulas_repel(const FormulaSettings& formula) {
  return formula.step == "together" && (formula.normaliser == "share" || formula.normaliser == "sum");
}

void check_stubbornness(const ModelSettings& model, const society::PopulationSettings& population, const Agents& agents,
                        society::KeyRules& rules) {
  if (model.model != "formula" || formulas_read(model, population, "stubbornness")) return;
  for (std::size_t i = 0; i < agents.stubbornness.size(); ++i) {
    if ((!agents.counted.empty() && agents.counted[i] == 0) || agents.stubbornness[i] == 0) continue;
    rules.unless(false, "formula.update", "formula.update = \"", model.formula.update, "\" reads no s, but agent ", i,
                 " has the stubbornness ", agents.stubbornness[i],
                 " of its own; read s, or leave the stubbornness out.");
    rules.raise();
  }
}

std::string formula_text(const ModelSettings& settings) {
  const FormulaSettings& formula = settings.formula;
  if (formula.step == "pairs") return concat("N meetings of two, x_i <- ", formula.update);
  if (FormulaModel(settings, {}).hearing.empty()) return concat("x <- ", formula.update);
  return concat("x <- ", formula.update, ", h by ", formula.normaliser, " of the influence ", formula.influence,
                " of the value ", formula.value);
}

}  // namespace fovea::opinion::dynamics
