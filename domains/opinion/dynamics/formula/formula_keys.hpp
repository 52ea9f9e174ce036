#pragma once
/// The keys formula.* of a model that is written as formulas, and what a check says of them.

#include <string>
#include <string_view>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::dynamics {

void add_formula_keys(Schema& schema);

FormulaSettings formula_settings(const Config& config);

/// Complains about formulas that cannot be read, at their place; about keys and parameters that no formula reads; and,
/// for another model, about keys formula.* that are set.
void check_formula(const Config& config, const ModelSettings& settings, Complaints& complaints);

/// Whether a formula of the config reads this number of ModelSettings; true where a formula cannot be read.
bool formulas_read(const Config& config, std::string_view field);

/// Whether agents hear others by the formulas of the config; true where a formula cannot be read.
bool formulas_hear(const Config& config);

/// Whether a formula of the config reads the number of the step; true where one cannot be read.
bool formulas_read_time(const Config& config);

/// Whether the formulas of the config know a negative weight as repulsion.
bool formulas_repel(const Config& config);

/// Agents that move, with a stubbornness of their own that no formula of the config reads. Throws ConfigError; not for
/// another model.
void check_stubbornness(const Config& config, const Agents& agents);

/// The formulas in a sentence, for the page.
std::string formula_text(const ModelSettings& settings);

}  // namespace fovea::opinion::dynamics
