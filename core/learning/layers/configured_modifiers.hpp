#pragma once
/// Modifiers of attention as a config lists them:
///
///   [[model.modifiers]]
///   type = "time_decay"           any of the engine's modifiers that can be told in a config
///   half_life = 3.0               that type's own keys: where its parameter starts, in the units people use
///   learned = false               of types with parameters: true (the default) or fixed at the start
///   per_head = true               of types with parameters: one for each head, or one that all share
///
/// What a type may be told stands in the modifier's own file, core/attention/modifiers/TYPE.cpp. `fovea init` shows it.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"

namespace fovea::learning {

/// What the modifiers will meet, so that a config which asks for more is refused at its line.
struct ModifierPlace {
  Index heads = 1;       ///< of the attention
  bool times = false;    ///< whether the tokens have times
  Index dimensions = 0;  ///< of the tokens' coordinates; 0: they have none
};

/// Declares the list [[key]], with a type for each modifier of the engine's table.
void declare_modifiers(Schema& schema, const std::string& key);

/// The modifiers of a layer, in the order of the list. Each is named by its type, a second one of that type TYPE_2, and
/// so on; these are the names of its parameters. Tokens give times, coordinates and sets to those that ask. Throws
/// ConfigError with all mistakes, each with its place: what the tokens do not have, and rules between a type's keys.
template <typename Real>
std::vector<ModifierOfLayer<Real>> modifiers_of(const Config& config, std::string_view key, const ModifierPlace& place);

}  // namespace fovea::learning
