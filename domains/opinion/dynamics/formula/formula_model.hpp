#pragma once
/// A model that is written as formulas in a config (core/formula/formula.hpp has their grammar).
///
/// step = together: all agents move at once, each by
///   h_i = sum_j w_ij value(x_i, x_j, ...),     e_ij = W_ij g_j influence(x_i, x_j, ...),     x_i <- update(x, h, x0,
///   ...) share: w_ij = e_ij / sum_k |e_ik|;   softmax: the same with exp(influence);   crowd: e_ij / sum_k W_ik g_k;
///   sum: e_ij
/// step = pairs: N meetings of two at random, along edges on a network; each of the two takes update(x_i, x_j, ...) of
/// the opinions that both had before.
/// With several components value and update hold for each component, and influence has d and dot alone; an update of
/// all at once reads the other components as x_1, h_1, x0_1, x_2, ...

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/formula/formula.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::dynamics {

/// A name that formulas may use.
struct FormulaName {
  std::string_view name;
  std::string_view where;  ///< the formulas that may use it
  std::string_view meaning;
  std::string_view key;  ///< the field of ModelSettings that it is; empty: none
};
/// All but the functions of core/formula and the config's own parameters.
std::span<const FormulaName> formula_names();

/// What else decides which names vary from agent to agent.
struct FormulaSurroundings {
  Index components = 0;  ///< 0: not known; formulas may name any
  bool network = false;
  bool own_temperatures = false, own_confidences = false, own_stubbornness = false, own_reach = false;
};

/// The places of pair_formula's inputs and of those of the update. From kTraits on are own_numbers(), then in the
/// update of all at once x_1, h_1, x0_1, x_2, ...; behind them what never varies.
namespace pair_inputs {
enum Place : std::size_t { kListener, kSpeaker, kDistance, kDot, kSelf, kWeight, kReach, kTime, kTraits };
}
namespace update_inputs {
enum Place : std::size_t { kOpinion, kHeard, kStart, kNormal, kUniform, kComponent, kTime, kTraits };
}
namespace meeting_inputs {
enum Place : std::size_t { kOwn, kOther, kDistance, kFirst, kStart, kNormal, kUniform, kComponent, kTime, kTraits };
}

/// What may differ from agent to agent: T_i, eps_i, s_i (empty: alike) and Agents::own.
std::vector<const std::vector<double>*> own_numbers(const Agents& agents);
/// Most components of opinions.
inline constexpr Index kMostComponents = 64;

/// Throw ArgumentError: the key, the formula, and what is wrong with it at which character.
Formula influence_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings);
Formula value_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings);
/// Of together or of pairs, as the settings say.
Formula update_formula(const ModelSettings& settings, const FormulaSurroundings& surroundings);

enum class FormulaNormaliser { share, softmax, crowd, sum };
/// Throws ArgumentError for another name.
FormulaNormaliser formula_normaliser(std::string_view name);

/// Throws ArgumentError for a parameter whose name is none, is taken, or given twice.
void require_parameters(const FormulaSettings& formula);

/// All formulas of a model that count.
struct FormulaModel {
  explicit FormulaModel(const ModelSettings& settings, const FormulaSurroundings& surroundings);
  bool mentions(std::string_view name) const;  ///< any formula that counts
  bool is_drawn() const;                       ///< whether the next opinions depend on random numbers
  bool pairs;
  std::vector<Formula> hearing;  ///< influence and value; none where the update hears nothing
  Formula update;
};

}  // namespace fovea::opinion::dynamics
