#pragma once
/// Modifiers that ask about the tokens of a pass, ready for a layer's list.

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/neighbourhood.hpp"

namespace fovea::learning {

/// The times of queries and keys, counted from the first of each set (its first query; without one, its first key), so
/// that floats hold them. Throws ArgumentError where a token has no time, or the sides are in different numbers of
/// sets.
template <typename Real>
struct TimesOfSets {
  Vector<Real> queries, keys;
};
template <typename Real>
TimesOfSets<Real> times_of_sets(const Tokens& queries, const Tokens& keys);

/// time_decay() over the tokens' times. start: log rate or log half-life, as options say, one or one a head. Times are
/// counted from the first of each set, so that floats hold them.
template <typename Real>
ModifierOfLayer<Real> decay_with_time(std::vector<Real> start, const TimeDecayOptions& options = {});

/// power_law_decay() over the tokens' times. start: {log exponent, log scale}, one pair or one a head.
template <typename Real>
ModifierOfLayer<Real> power_law_with_time(std::vector<Real> start, const PowerLawDecayOptions& options = {});

/// pair_bias() whose theta is a variable of the pass: for each head the matrices of the sets, as pair_network() makes.
template <typename Real>
ModifierOfLayer<Real> pair_bias_of_pass();

/// key_weights() with the weights of the key tokens. Throws ArgumentError where a token has none.
template <typename Real>
ModifierOfLayer<Real> weights_of_tokens();

/// valid_keys() with the flags of the key tokens. Throws ArgumentError where a token has none.
template <typename Real>
ModifierOfLayer<Real> valid_tokens();

/// grid_window() on the tokens' grids, whose widths and sets are filled in; start: of the learned biases, (2 reach +
/// 1)^2 numbers, once or for each head (none: `window.positions` is false). Queries and keys are on grids of equal
/// shape, a set each, of whole rows. Throws ArgumentError where they are not.
template <typename Real>
ModifierOfLayer<Real> window_on_grid(GridWindow window, std::vector<Real> start = {});

/// A token sees its neighbours alone (neighbourhood.hpp): radius() and nearest_neighbours() over the tokens'
/// coordinates, searched once a pass for all layers.
template <typename Real>
ModifierOfLayer<Real> neighbours_alone(const Neighbourhood& neighbourhood);

/// The same with listed_bias(), whose theta is a variable of the pass: a number for each head and listed pair.
template <typename Real>
ModifierOfLayer<Real> listed_bias_of_pass(const Neighbourhood& neighbourhood);

}  // namespace fovea::learning
