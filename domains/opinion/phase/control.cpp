#include "fovea/domains/opinion/phase/control.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr std::string_view kFormula = "formula.";  // before the name of a number of one's own

const dynamics::ModelEntry& entry_of(const Config& config) { return dynamics::find_model(config.text("model.name")); }

bool is_written(const Config& config) { return entry_of(config).rule.is_written(); }

/// The key of the number of one's own that phase.control = "formula.NAME" means; "" for another control.
std::string own_number_key(const Config& config) {
  const std::string& control = config.text("phase.control");
  if (!is_written(config) || !control.starts_with(kFormula)) return "";
  const std::vector<ConfigTable>& numbers = config.tables("formula.parameters");
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k].text("name") == control.substr(kFormula.size())) return concat("formula.parameters.", k, ".value");
  return "";
}

/// Distances have a floor where their logarithm is the score.
bool has_floor(const Config& config) {
  const dynamics::Score score = entry_of(config).rule.score;
  return score == dynamics::Score::log_distance ||
         (score == dynamics::Score::chosen && config.text("model.score") == "log_distance");
}

/// The rules between keys with the control at one end of its range, whose place is that end's.
void check_at(const Config& config, const char* end, Complaints& complaints) {
  Config there = at_control(config, config.real(end));
  there.set(control_key(config), config.real(end), config.source(end));
  const society::PopulationSettings population = society::population_settings(there);
  const std::vector<std::int64_t>& sizes = config.integers("phase.sizes");
  society::KeyRules rules(there, complaints);
  society::check_population(population, rules, "phase.sizes", sizes.empty() ? 0 : sizes.front());
  dynamics::check_model(dynamics::model_settings(there), population, rules);
}

void check_range(const Config& config, Complaints& complaints) {
  const Range& range = config.parameter(control_key(config))->range;
  for (const char* end : {"phase.low", "phase.high"})
    if (!range.contains(config.real(end)))
      complaints.add(config.source(end), concat(end, " = ", config.real(end), ", but ", config.text("phase.control"),
                                                " must be ", range.text(), "."));
}

/// Why phase.control is none of the known ones.
std::string unknown_control(const Config& config, const std::vector<std::string>& known) {
  const std::string &name = config.text("phase.control"), key = control_key(config);
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  const Parameter* parameter = config.parameter(key);
  if (parameter != nullptr && parameter->type == ValueType::integer)
    return concat("phase.control = \"", name,
                  "\" is a whole number, between whose values nothing can be searched; sweep ",
                  "it (fovea sweep --grid ", key, "=...), or take one of ", list, ".");
  const std::string near = nearest(name, known);
  return concat("phase.control = \"", name, "\", but must be a number that model.name = \"", entry_of(config).name,
                "\", its network or its start reads: ", list, ".",
                near.empty() ? "" : concat(" Did you mean '", near, "'?"));
}

struct Symbol {
  std::string_view name, symbol;
};
constexpr std::array kSymbols{Symbol{"confidence", "eps"}, Symbol{"convergence", "mu"}, Symbol{"coupling", "K"},
                              Symbol{"independence", "p"}, Symbol{"noise", "D"},        Symbol{"steepness", "alpha"},
                              Symbol{"stubbornness", "s"}, Symbol{"temperature", "T"},  Symbol{"time_step", "dt"}};

}  // namespace

std::vector<std::string> controls_of(const Config& config) {
  constexpr std::string_view kModel = "model.";
  const bool written = is_written(config);
  const dynamics::ModelSettings model = dynamics::model_settings(config);
  const society::PopulationSettings population = society::population_settings(config);
  std::vector<std::string> names;
  for (const Parameter& parameter : config.schema().parameters()) {
    if (parameter.type != ValueType::real || !parameter.key.starts_with(kModel)) continue;
    const std::string name = parameter.key.substr(kModel.size());
    if (written && !dynamics::formulas_read(model, population, name)) continue;
    if (entry_of(config).needs(name) && (name != "distance_floor" || has_floor(config))) names.push_back(name);
  }
  if (written)
    for (const ConfigTable& number : config.tables("formula.parameters"))
      if (!number.text("name").empty()) names.push_back(concat(kFormula, number.text("name")));
  for (std::string& key : society::population_numbers(population)) names.push_back(std::move(key));
  const bool hears = entry_of(config).rule.update.hears && !(written && config.text("formula.step") == "pairs");
  if (config.text("network.kind") != "none" && hears) names.emplace_back("network.self_weight");
  return names;
}

std::string control_key(const Config& config) {
  const std::string& name = config.text("phase.control");
  if (std::string own = own_number_key(config); !own.empty()) return own;
  return name.find('.') == std::string::npos ? "model." + name : name;
}

Config at_control(const Config& config, double value) {
  Config there = config;
  there.set(control_key(config), value, config.source("phase.control"));
  return there;
}

void check_control(const Config& config, Complaints& complaints) {
  const std::string& name = config.text("phase.control");
  const std::vector<std::string> known = controls_of(config);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    complaints.add(config.source("phase.control"), unknown_control(config, known));
    return;
  }
  const std::string key = control_key(config);
  if (config.value(key) != config.parameter(key)->fallback)
    complaints.add(config.source(key), concat(key, " is given, but is the control, which goes from phase.low to ",
                                              "phase.high. Remove the key."));
  check_range(config, complaints);
  Complaints at_low;
  check_at(config, "phase.low", at_low);
  check_at(config, at_low.empty() ? "phase.high" : "phase.low", complaints);
}

std::string phase_control_name(const Config& config) {
  const std::string& control = config.text("phase.control");
  // a name of one's own could be that of a result, such as order
  if (!own_number_key(config).empty()) return concat("formula_", control.substr(kFormula.size()));
  const std::string key = control_key(config);
  return key.substr(key.find('.') + 1);
}

std::string phase_control_unit(const Config& config) {
  const std::string key = control_key(config);
  const dynamics::Update& update = entry_of(config).rule.update;
  const bool angle = update.space == dynamics::Space::circle;
  const std::string& score = config.text("model.score");
  const bool bare = angle || score == "cosine" || score == "log_distance";
  if (key == "model.temperature") return bare ? "1" : "opinion^2";
  if (key == "model.noise") return angle ? "1" : update.discrete ? "opinion" : "opinion^2";
  const std::string& unit = config.parameter(key)->unit;
  return unit.empty() || angle ? "1" : unit;
}

std::string ControlWords::at(double value, double error) const {
  return concat(symbol, " = ", concise_with_error(value, error), unit.empty() ? "" : " ", unit);
}

std::string ControlWords::behind_name(double value, double error) const {
  const std::string text = at(value, error);
  return symbol == name ? text.substr(symbol.size() + 3) : text;
}

ControlWords control_words(const Config& config) {
  const std::string& control = config.text("phase.control");
  const std::string unit = phase_control_unit(config);
  ControlWords words{control, control, unit == "1" ? "" : unit};
  if (!own_number_key(config).empty()) {  // as the formulas have it
    words.name = words.symbol = control.substr(kFormula.size());
    return words;
  }
  if (control.find('.') == std::string::npos) std::replace(words.name.begin(), words.name.end(), '_', ' ');
  for (const Symbol& one : kSymbols)
    if (one.name == control) words.symbol = one.symbol;
  if (words.symbol == control) words.symbol = words.name;
  // in discrete time the noise is a standard deviation, which the models call noise
  if (control == "noise" && entry_of(config).rule.update.discrete) words.symbol = "noise";
  return words;
}

}  // namespace fovea::opinion::phase
