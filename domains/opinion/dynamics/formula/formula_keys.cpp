#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"

#include <algorithm>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::dynamics {

namespace {

Schema parameter_keys() {
  Schema keys;
  keys.text("name", "", "name by which formulas read it");
  keys.real("value", 0.0, Range::any(), "", "value of the number of that name");
  return keys;
}

/// Adds a complaint where it throws; whether it did not.
template <typename Work>
bool holds(const Config& config, const char* key, Complaints& complaints, const Work& work) {
  try {
    work();
    return true;
  } catch (const ArgumentError& error) {
    complaints.add(config.source(key), error.what());
    return false;
  }
}

/// Agents may bring their own numbers.
FormulaSurroundings surroundings_of(const Config& config) {
  const bool network = config.text("network.kind") != "none";
  return {static_cast<Index>(config.integer("model.components")), network, true, true, true, true};
}

std::optional<FormulaModel> readable_model(const Config& config, const ModelSettings& settings,
                                           Complaints& complaints) {
  const FormulaSurroundings surroundings = surroundings_of(config);
  bool readable = holds(config, "formula.parameters", complaints, [&] { require_parameters(settings.formula); });
  readable &= holds(config, "formula.update", complaints, [&] { update_formula(settings, surroundings); });
  if (settings.formula.step == "together") {
    readable &= holds(config, "formula.influence", complaints, [&] { influence_formula(settings, surroundings); });
    readable &= holds(config, "formula.value", complaints, [&] { value_formula(settings, surroundings); });
  }
  if (!readable) return std::nullopt;
  return FormulaModel(settings, surroundings);
}

/// True where a formula cannot be read.
template <typename Ask>
bool is_of_formulas(const Config& config, const Ask& ask) {
  ModelSettings settings;
  settings.formula = formula_settings(config);
  try {
    return ask(FormulaModel(settings, surroundings_of(config)));
  } catch (const ArgumentError&) {
    return true;
  }
}

/// Keys of hearing where nothing is heard.
void check_hearing(const FormulaModel& model, society::KeyRules& rules) {
  if (!model.hearing.empty()) return;
  for (const char* key : {"formula.influence", "formula.normaliser", "formula.value"})
    rules.unless(!rules.given(key), key,
                 concat(key, " is given, but ",
                        model.pairs ? "in formula.step = \"pairs\" agents hear nobody but the one they meet."
                                    : "formula.update does not read h, what is heard.",
                        " Remove the key."));
}

void check_read_keys(const Config& config, const FormulaModel& model, society::KeyRules& rules) {
  for (const FormulaName& name : formula_names()) {
    if (name.key.empty()) continue;
    const std::string key = concat("model.", name.key);
    rules.unless(config.is_default(key) || model.mentions(name.name), key.c_str(),
                 concat(key, " is given, but no formula reads ", name.name, ". Remove the key."));
    const std::vector<std::string>& shocks =
        config.schema().find("shocks.kinds") == nullptr ? std::vector<std::string>{} : config.texts("shocks.kinds");
    rules.unless(std::find(shocks.begin(), shocks.end(), name.key) == shocks.end() || model.mentions(name.name),
                 "shocks.kinds", concat("shocks.kinds has '", name.key, "', but no formula reads ", name.name, "."));
  }
  for (const auto& [name, value] : formula_settings(config).parameters)
    rules.unless(model.mentions(name), "formula.parameters",
                 concat("formula.parameters has '", name, "', but no formula reads it. Remove it."));
}

}  // namespace

void add_formula_keys(Schema& schema) {
  const FormulaSettings usual;
  schema.text("formula.influence", usual.influence, "influence of x_j on x_i; `fovea list formula` has the names")
      .added_later();
  schema
      .choice("formula.normaliser", usual.normaliser, {"share", "softmax", "crowd", "sum"},
              "weights: influence / its sum, exp(influence) / its sum, influence / number heard, influence")
      .added_later();
  schema.text("formula.value", usual.value, "what is heard of x_j").added_later();
  schema
      .text("formula.update", usual.update,
            "the next opinion, of x, of what is heard (h), the start (x0) and other names")
      .added_later();
  schema
      .choice("formula.step", usual.step, {"together", "pairs"},
              "all agents at once, or N meetings of two, each of which takes the update of x_i and x_j")
      .added_later();
  schema
      .tables("formula.parameters", {{"number", "a number of one's own", parameter_keys()}},
              "numbers that formulas read by names of one's own")
      .added_later();
}

FormulaSettings formula_settings(const Config& config) {
  FormulaSettings settings;
  settings.influence = config.text("formula.influence");
  settings.normaliser = config.text("formula.normaliser");
  settings.value = config.text("formula.value");
  settings.update = config.text("formula.update");
  settings.step = config.text("formula.step");
  for (const ConfigTable& table : config.tables("formula.parameters"))
    settings.parameters.emplace_back(table.text("name"), table.real("value"));
  return settings;
}

void check_formula(const Config& config, const ModelSettings& settings, Complaints& complaints) {
  society::KeyRules rules(config, complaints);
  if (settings.model != "formula") {
    for (const Parameter& parameter : config.schema().parameters())
      rules.unless(!parameter.key.starts_with("formula.") || config.is_default(parameter.key), parameter.key.c_str(),
                   concat(parameter.key, " is given, but counts for model.name = \"formula\" alone. Remove the key."));
    return;
  }
  const std::optional<FormulaModel> model = readable_model(config, settings, complaints);
  if (!model) return;
  check_hearing(*model, rules);
  check_read_keys(config, *model, rules);
  for (const char* key : {"bots.opinions", "media.opinions"})
    rules.unless(!model->pairs || config.schema().find(key) == nullptr || config.is_default(key), key,
                 concat(key, ": in formula.step = \"pairs\" agents meet, and reach has no effect; give bots in ",
                        "start.file, with the column kind."));
  rules.unless(!model->pairs || !config.flag("network.directed"), "network.directed",
               "network.directed = true, but in formula.step = \"pairs\" agents that meet move one another.");
}

bool formulas_read(const Config& config, std::string_view field) {
  return is_of_formulas(config, [&](const FormulaModel& model) {
    return std::any_of(formula_names().begin(), formula_names().end(),
                       [&](const FormulaName& name) { return name.key == field && model.mentions(name.name); });
  });
}

bool formulas_hear(const Config& config) {
  return is_of_formulas(config, [](const FormulaModel& model) { return !model.hearing.empty(); });
}

bool formulas_read_time(const Config& config) {
  return is_of_formulas(config, [](const FormulaModel& model) { return model.mentions("t"); });
}

bool formulas_repel(const Config& config) {
  const std::string& normaliser = config.text("formula.normaliser");
  return config.text("formula.step") == "together" && (normaliser == "share" || normaliser == "sum");
}

void check_stubbornness(const Config& config, const Agents& agents) {
  if (config.text("model.name") != "formula" || formulas_read(config, "stubbornness")) return;
  for (std::size_t i = 0; i < agents.stubbornness.size(); ++i) {
    if ((!agents.counted.empty() && agents.counted[i] == 0) || agents.stubbornness[i] == 0) continue;
    Complaints complaints;
    complaints.add(config.source("formula.update"),
                   concat("formula.update = \"", config.text("formula.update"), "\" reads no s, but agent ", i,
                          " has the stubbornness ", agents.stubbornness[i],
                          " of its own; read s, or leave the stubbornness out."));
    complaints.raise();
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
