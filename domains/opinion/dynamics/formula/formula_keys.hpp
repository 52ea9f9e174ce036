#pragma once
/// The keys formula.* of a model that is written as formulas, and what a check says of them.

#include <string>
#include <string_view>

#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::dynamics {

/// All but the numbers of formula.parameters, which are declared with them.
const Keys<FormulaSettings>& formula_keys();

FormulaSettings formula_settings(const Config& config);

/// Complains about formulas that cannot be read, at their place; about keys and parameters that no formula reads; and,
/// for another model, about keys formula.* that are set.
void check_formula(const ModelSettings& model, const society::PopulationSettings& population, society::KeyRules& rules);

// Of the formulas of a model among such a population; true where a formula cannot be read.

/// Whether one reads this number of ModelSettings.
bool formulas_read(const ModelSettings& model, const society::PopulationSettings& population, std::string_view field);
/// Whether agents hear others.
bool formulas_hear(const ModelSettings& model, const society::PopulationSettings& population);
/// Whether one reads the number of the step.
bool formulas_read_time(const ModelSettings& model, const society::PopulationSettings& population);

/// Whether they know a negative weight as repulsion.
bool formulas_repel(const FormulaSettings& formula);

/// Agents that move, with a stubbornness of their own that no formula reads. Throws ConfigError; not for another model.
void check_stubbornness(const ModelSettings& model, const society::PopulationSettings& population, const Agents& agents,
                        society::KeyRules& rules);

/// The formulas in a sentence, for the page.
std::string formula_text(const ModelSettings& settings);

}  // namespace fovea::opinion::dynamics
