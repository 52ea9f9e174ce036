#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr std::string_view kPair = "influence, value", kTogether = "update", kMeeting = "update of pairs";

constexpr std::array kNames{
    FormulaName{"x_i", "influence, value, update of pairs", "opinion of the listener, or of the one that moves", ""},
    FormulaName{"x_j", "influence, value, update of pairs", "opinion of the speaker, or of the other one", ""},
    FormulaName{"d", "influence, value, update of pairs", "distance of the two opinions, |x_i - x_j|", ""},
    FormulaName{"dot", kPair, "product of the two opinions, x_i . x_j", ""},
    FormulaName{"self", kPair, "1 where an agent hears itself, else 0", ""},
    FormulaName{"W", kPair, "weight of the edge, which multiplies the influence anyway; 1 without a network", ""},
    FormulaName{"g", kPair, "reach of the speaker, which multiplies the influence anyway", ""},
    FormulaName{"x", kTogether, "opinion of the agent", ""},
    FormulaName{"h", kTogether, "what the agent hears: the weighted sum of the values", ""},
    FormulaName{"first", kMeeting, "1 for the first of the two drawn, 0 for the second", ""},
    FormulaName{"x0", "update", "opinion of the agent at the start", ""},
    FormulaName{"x_1", kTogether, "component 1 of the agent's opinion, where there are several; likewise x_2, ...", ""},
    FormulaName{"h_1", kTogether, "component 1 of what the agent hears; likewise h_2, ...", ""},
    FormulaName{"x0_1", kTogether, "component 1 of the agent's opinion at the start; likewise x0_2, ...", ""},
    FormulaName{"component", "update", "number of the component that is updated, from 1", ""},
    FormulaName{"xi", "update", "a standard normal number, drawn for each agent, component and step (or meeting)", ""},
    FormulaName{"u", "update", "a number drawn evenly from [0, 1), likewise", ""},
    FormulaName{"t", "all", "number of the step, from 0; a run goes on to its last step then", ""},
    FormulaName{"T", "all", "temperature, of the agent or of the listener", "temperature"},
    FormulaName{"eps", "all", "confidence, of the agent or of the listener", "confidence"},
    FormulaName{"s", "all", "stubbornness, of the agent or of the listener", "stubbornness"},
    FormulaName{"K", "all", "coupling", "coupling"},
    FormulaName{"alpha", "all", "steepness", "steepness"},
    FormulaName{"beta", "all", "homophily", "homophily"},
    FormulaName{"gamma", "all", "sharpness", "sharpness"},
    FormulaName{"mu", "all", "convergence", "convergence"},
    FormulaName{"dt", "all", "time_step", "time_step"},
    FormulaName{"noise", "all", "noise", "noise"},
};

constexpr std::array kOfComponents{"x_", "h_", "x0_"};

/// Whether a name is one of those followed by digits.
bool names_component(std::string_view name) {
  return std::any_of(kOfComponents.begin(), kOfComponents.end(), [&](std::string_view begin) {
    return name.size() > begin.size() && name.starts_with(begin) &&
           name.find_first_not_of("0123456789", begin.size()) == std::string_view::npos;
  });
}

FormulaVariable own(const char* name, bool each, bool within, double value) {
  return {name, !each ? Varies::never : within ? Varies::each : Varies::call, value};
}

/// The time and the agent's own numbers. within: whether the agent changes within a call of the formula.
void add_own(std::vector<FormulaVariable>& variables, const ModelSettings& settings,
             const FormulaSurroundings& surroundings, bool within) {
  variables.push_back({"t", Varies::call});
  variables.push_back(own("T", surroundings.own_temperatures, within, settings.temperature));
  variables.push_back(own("eps", surroundings.own_confidences, within, settings.confidence));
  variables.push_back(own("s", surroundings.own_stubbornness, within, settings.stubbornness));
  for (const auto& [name, value] : settings.formula.parameters)
    if (std::isnan(value)) variables.push_back(own(name.c_str(), true, within, value));
}

void add_numbers(std::vector<FormulaVariable>& variables, const ModelSettings& settings) {
  const std::pair<const char*, double> numbers[] = {{"K", settings.coupling},     {"alpha", settings.steepness},
                                                    {"beta", settings.homophily}, {"gamma", settings.sharpness},
                                                    {"mu", settings.convergence}, {"dt", settings.time_step},
                                                    {"noise", settings.noise}};
  for (const auto& [name, value] : numbers) variables.push_back({name, Varies::never, value});
  for (const auto& [name, value] : settings.formula.parameters)
    if (!std::isnan(value)) variables.push_back({name, Varies::never, value});
}

Formula formula_of(const char* key, const std::string& text, const std::vector<FormulaVariable>& variables,
                   const std::string& hint = "") {
  try {
    return Formula(text, variables);
  } catch (const ArgumentError& error) {
    throw ArgumentError(concat(key, " = \"", text, "\": ", error.what(), hint));
  }
}

/// With several components influence compares whole opinions.
std::vector<FormulaVariable> pair_variables(const ModelSettings& settings, const FormulaSurroundings& surroundings,
                                            bool of_component) {
  const Varies listener = surroundings.network ? Varies::each : Varies::call;
  std::vector<FormulaVariable> variables{{of_component ? "x_i" : "", listener},
                                         {of_component ? "x_j" : "", Varies::each},
                                         {"d", Varies::each},
                                         {"dot", Varies::each},
                                         {"self", Varies::each},
                                         {"W", surroundings.network ? Varies::each : Varies::never, 1},
                                         {"g", surroundings.own_reach ? Varies::each : Varies::never, 1}};
  add_own(variables, settings, surroundings, surroundings.network);
  add_numbers(variables, settings);
  return variables;
}

bool hears(const Formula& update) {
  bool components = false;
  for (Index c = 1; c <= kMostComponents; ++c) components = components || update.mentions(concat("h_", c));
  return components || update.mentions("h");
}

bool is_pairs(const ModelSettings& settings) { return settings.formula.step == "pairs"; }

}  // namespace

std::span<const FormulaName> formula_names() { return kNames; }

Formula influence_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings) {
  const bool one = surroundings.components <= 1;
  return formula_of("formula.influence", settings.formula.influence, pair_variables(settings, surroundings, one),
                    one ? ""
                        : concat(" (Of opinions with ", surroundings.components,
                                 " components it has d and dot in place of x_i and x_j.)"));
}

Formula value_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings) {
  return formula_of("formula.value", settings.formula.value, pair_variables(settings, surroundings, true));
}

Formula update_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings) {
  std::vector<FormulaVariable> variables;
  if (is_pairs(settings))
    for (const char* name : {"x_i", "x_j", "d", "first", "x0", "xi", "u"}) variables.push_back({name});
  else
    for (const char* name : {"x", "h", "x0", "xi", "u"}) variables.push_back({name});
  variables.push_back({"component", Varies::call});
  add_own(variables, settings, surroundings, true);
  const Index known = surroundings.components == 0 ? kMostComponents : surroundings.components;
  for (Index c = 1; c <= known && known > 1 && !is_pairs(settings); ++c)
    for (const char* begin : kOfComponents) variables.push_back({concat(begin, c)});
  add_numbers(variables, settings);
  const std::string& text = settings.formula.update;
  const bool names_one = std::any_of(kOfComponents.begin(), kOfComponents.end(),
                                     [&](std::string_view begin) { return text.find(begin) != std::string::npos; });
  return formula_of("formula.update", text, variables,
                    known > 1                          ? concat(" (Opinions have ", known, " components.)")
                    : names_one && !is_pairs(settings) ? " (Opinions have one component; model.components gives more.)"
                                                       : "");
}

FormulaNormaliser formula_normaliser(std::string_view name) {
  if (name == "share") return FormulaNormaliser::share;
  if (name == "softmax") return FormulaNormaliser::softmax;
  if (name == "crowd") return FormulaNormaliser::crowd;
  require(name == "sum", "formula.normaliser = \"", name, "\", but must be share, softmax, crowd or sum.");
  return FormulaNormaliser::sum;
}

void require_parameters(const FormulaSettings& formula) {
  for (std::size_t k = 0; k < formula.parameters.size(); ++k) {
    const std::string& name = formula.parameters[k].first;
    const auto is_it = [&](const auto& other) { return other.name == name; };
    require(can_name_variable(name), "formula.parameters has the name '", name,
            "', but must have letters, digits and underscores, no digit first, and not be a function or constant.");
    require(std::none_of(kNames.begin(), kNames.end(), is_it) && !names_component(name),
            "formula.parameters has the name '", name, "', which formulas have already; take another.");
    for (std::size_t other = 0; other < k; ++other)
      require(formula.parameters[other].first != name, "formula.parameters has the name '", name, "' twice.");
  }
}

std::vector<const std::vector<double>*> own_numbers(const Agents& agents) {
  std::vector<const std::vector<double>*> numbers{&agents.temperature, &agents.confidence, &agents.stubbornness};
  for (const std::vector<double>& own : agents.own) numbers.push_back(&own);
  return numbers;
}

FormulaModel::FormulaModel(const ModelSettings& settings, const FormulaSurroundings& surroundings)
    : pairs(is_pairs(settings)), update(update_formula(settings, surroundings)) {
  require_parameters(settings.formula);
  if (pairs || !hears(update)) return;
  hearing.push_back(influence_formula(settings, surroundings));
  hearing.push_back(value_formula(settings, surroundings));
}

bool FormulaModel::mentions(std::string_view name) const {
  return update.mentions(name) ||
         std::any_of(hearing.begin(), hearing.end(), [&](const Formula& formula) { return formula.mentions(name); });
}

bool FormulaModel::is_drawn() const { return update.reads("xi") || update.reads("u"); }

}  // namespace fovea::opinion::dynamics
