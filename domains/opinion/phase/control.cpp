#include "fovea/domains/opinion/phase/control.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr std::string_view kModel = "model.";      // before the numbers of a model
constexpr std::string_view kFormula = "formula.";  // before the name of a number of one's own

/// The key of the number of one's own that phase.control = "formula.NAME" means; "" for another control.
std::string own_number_key(const dynamics::ModelSettings& model, const std::string& control) {
  if (!dynamics::find_model(model.model).rule.is_written() || !control.starts_with(kFormula)) return "";
  const auto& numbers = model.formula.parameters;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k].first == control.substr(kFormula.size()) && !std::isnan(numbers[k].second))
      return concat("formula.parameters.", k, ".value");
  return "";
}

/// Whether a number of the model counts: distances have a floor where their logarithm is the score.
bool counts(const dynamics::ModelEntry& entry, const std::string& number, const std::string& score) {
  const bool floor = entry.rule.score == dynamics::Score::log_distance ||
                     (entry.rule.score == dynamics::Score::chosen && score == "log_distance");
  return entry.needs(number) && (number != "distance_floor" || floor);
}

/// Why phase.control is none of the known ones. parameter: of its key; nullptr: there is no such key.
std::string unknown_control(const PhaseControl& control, const Parameter* parameter, const std::string& model,
                            const std::vector<std::string>& known) {
  const std::string list = datasets::text::listed(known);
  if (parameter != nullptr && parameter->type == ValueType::integer)
    return concat("phase.control = \"", control.given,
                  "\" is a whole number, between whose values nothing can be searched; sweep ",
                  "it (fovea sweep --grid ", control.key, "=...), or take one of ", list, ".");
  const std::string near = nearest(control.given, known);
  return concat("phase.control = \"", control.given, "\", but must be a number that model.name = \"", model,
                "\", its network or its start reads: ", list, ".",
                near.empty() ? "" : concat(" Did you mean '", near, "'?"));
}

/// None where opinions are angles or states, and in formulas, which decide it. parameter: of the key; nullptr: there is
/// none.
std::string unit_of(const std::string& key, const Config& config, const Parameter* parameter) {
  const dynamics::ModelSettings model = dynamics::model_settings(config);
  const dynamics::Rule& rule = dynamics::find_model(model.model).rule;
  if (rule.update.space == dynamics::Space::circle || rule.is_written() || rule.update.imitates ||
      society::population_settings(config).start.kind == society::StartKind::two_opinions)
    return "1";
  if (key == "model.temperature") return model.score == "cosine" || model.score == "log_distance" ? "1" : "opinion^2";
  if (key == "model.noise") return rule.update.discrete ? "opinion" : "opinion^2";
  return parameter == nullptr || parameter->unit.empty() ? "1" : parameter->unit;
}

struct Symbol {
  std::string_view name, symbol;
};
constexpr std::array kSymbols{Symbol{"confidence", "eps"}, Symbol{"convergence", "mu"}, Symbol{"coupling", "K"},
                              Symbol{"independence", "p"}, Symbol{"noise", "D"},        Symbol{"steepness", "alpha"},
                              Symbol{"stubbornness", "s"}, Symbol{"temperature", "T"},  Symbol{"time_step", "dt"}};

/// As the models write it; in discrete time the noise is a standard deviation, which they call noise.
std::string symbol_of(const std::string& control, const std::string& name, const dynamics::Rule& rule) {
  if (control == "noise" && rule.update.discrete) return control;
  const auto found =
      std::find_if(kSymbols.begin(), kSymbols.end(), [&](const Symbol& one) { return one.name == control; });
  return found == kSymbols.end() ? name : std::string(found->symbol);
}

}  // namespace

std::string ControlWords::at(double value, double error) const {
  return concat(symbol, " = ", concise_with_error(value, error), unit_behind());
}

std::string ControlWords::behind_name(double value, double error) const {
  return symbol == name ? concise_with_error(value, error) + unit_behind() : at(value, error);
}

PhaseControl phase_control(const Config& config) {
  PhaseControl control;
  control.given = control.name = config.text("phase.control");
  const dynamics::ModelSettings model = dynamics::model_settings(config);
  const bool of_model = control.given.find('.') == std::string::npos;
  control.key = own_number_key(model, control.given);
  if (!control.key.empty()) {
    // sentences have it as the formulas do; results may have an array of that name, such as order
    control.name = control.symbol = control.given.substr(kFormula.size());
    control.dimension = "formula_" + control.name;
  } else {
    control.key = concat(of_model ? kModel : "", control.given);
    control.dimension = control.key.substr(control.key.find('.') + 1);
    if (of_model) std::replace(control.name.begin(), control.name.end(), '_', ' ');
    control.symbol = symbol_of(control.given, control.name, dynamics::find_model(model.model).rule);
  }
  control.unit = unit_of(control.key, config, config.parameter(control.key));
  return control;
}

std::vector<std::string> controls_of(const Config& config) {
  const dynamics::ModelSettings model = dynamics::model_settings(config);
  const dynamics::ModelEntry& entry = dynamics::find_model(model.model);
  const society::PopulationSettings population = society::population_settings(config);
  const bool written = entry.rule.is_written();
  std::vector<std::string> names;
  for (const Parameter& parameter : config.schema().parameters()) {
    if (parameter.type != ValueType::real || !parameter.key.starts_with(kModel)) continue;
    const std::string name = parameter.key.substr(kModel.size());
    if (counts(entry, name, model.score) && (!written || dynamics::formulas_read(model, population, name)))
      names.push_back(name);
  }
  if (written)
    for (const auto& [name, value] : model.formula.parameters)
      if (!name.empty() && !std::isnan(value)) names.push_back(concat(kFormula, name));
  for (std::string& key : society::population_numbers(population)) names.push_back(std::move(key));
  const bool hears = entry.rule.update.hears && !(written && model.formula.step == "pairs");
  if (population.network.kind != society::NetworkKind::none && hears) names.emplace_back("network.self_weight");
  return names;
}

Config at_control(const Config& config, const PhaseControl& control, double value) {
  Config there = config;
  there.set(control.key, value, config.source("phase.control"));
  return there;
}

void check_control(const Config& config, Complaints& complaints) {
  const PhaseControl control = phase_control(config);
  const std::vector<std::string> known = controls_of(config);
  const Parameter* parameter = config.parameter(control.key);
  if (std::find(known.begin(), known.end(), control.given) == known.end()) {
    complaints.add(config.source("phase.control"),
                   unknown_control(control, parameter, config.text("model.name"), known));
    return;
  }
  if (config.value(control.key) != parameter->fallback)
    complaints.add(config.source(control.key), concat(control.key, " is given, but is the control, which goes from ",
                                                      "phase.low to phase.high. Remove the key."));
  for (const char* end : {"phase.low", "phase.high"})
    if (!parameter->range.contains(config.real(end)))
      complaints.add(config.source(end), concat(end, " = ", config.real(end), ", but ", control.given, " must be ",
                                                parameter->range.text(), "."));
  // The rules between keys with the control at one end of its range, whose place is that end's.
  const auto check_at = [&](const char* end, Complaints& found) {
    Config there = config;
    there.set(control.key, config.real(end), config.source(end));
    const society::PopulationSettings population = society::population_settings(there);
    const std::vector<std::int64_t>& sizes = config.integers("phase.sizes");
    society::KeyRules rules(there, found);
    society::check_population(population, rules, "phase.sizes", sizes.empty() ? 0 : sizes.front());
    dynamics::check_model(dynamics::model_settings(there), population, rules);
  };
  Complaints at_low;
  check_at("phase.low", at_low);
  check_at(at_low.empty() ? "phase.high" : "phase.low", complaints);
}

}  // namespace fovea::opinion::phase
