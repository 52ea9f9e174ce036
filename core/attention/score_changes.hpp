#pragma once
/// The modifiers that shift or scale scores, most with parameters to be learned. Part of modifiers.hpp.

#include <memory>
#include <type_traits>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/pair_features.hpp"

namespace fovea {

/// s' = s / tau, theta = {log tau} or one for each head: a positive temperature for any theta.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> temperature(Sharing sharing = Sharing::all_heads);

// Decay with time: the stamps may be irregular and in any order.

/// What theta of a decay holds.
enum class DecayParameter { rate, half_life };

struct TimeDecayOptions {
  Sharing sharing = Sharing::all_heads;
  DecayParameter learned = DecayParameter::rate;
  bool past_only = false;  ///< a query sees only keys with t_key <= t_query
};

/// s' = s - rate |t_query - t_key|, theta = {log rate} or {log half_life} with rate = ln 2 / half_life: after the
/// softmax a weight carries exp(-rate age) and halves with each half-life. t_query (N), t_key (M): times of the rows,
/// same unit and origin; floats need an origin near them, for they count whole seconds up to 194 days only. Throws
/// ArgumentError where a time is not finite.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay(Vector<Real> t_query, Vector<Real> t_key,
                                                      const TimeDecayOptions& options = {});

struct ClassDecayOptions {
  Sharing sharing = Sharing::all_heads;
  bool past_only = false;  ///< a query sees only keys with t_key <= t_query
};

/// s' = s - ln 2 / half_life_c |t_query - t_key|, c the class of the key: each kind of key is forgotten at its own
/// pace. theta = log half_life of the classes one after the other, for one head after the other. key_classes (M) in [0,
/// classes), classes >= 1. Within a single class without a softmax over the others: class_pooling() of the learning
/// room, which is linear in the keys. Throws ArgumentError.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay_by_class(Vector<Real> t_query, Vector<Real> t_key,
                                                               std::vector<Index> key_classes, Index classes,
                                                               const ClassDecayOptions& options = {});

struct PowerLawDecayOptions {
  Sharing sharing = Sharing::all_heads;
  bool past_only = false;  ///< a query sees only keys with t_key <= t_query
};

/// s' = s - exponent log(1 + |t_query - t_key| / scale), theta = {log exponent, log scale}, for one head after the
/// other: a weight carries (1 + age / scale)^-exponent, a tail that no half-life has (Hegazy, Mahoney, Erichson 2026;
/// of distances: Chi et al. 2022). scale is in the unit of the times.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> power_law_decay(Vector<Real> t_query, Vector<Real> t_key,
                                                           const PowerLawDecayOptions& options = {});

// Distance of positions, i and j counted within the set.

/// s' = s - slope |i - j|, theta = log slope for each head (ALiBi: Press, Smith, Lewis 2022).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> distance_bias(Sharing sharing = Sharing::per_head);

/// The slopes that Press et al. start from: 2^(-8 h / heads) for h = 1 .. heads, when heads is a power of two;
/// otherwise those of the power below, then every other one of the power above. theta takes their logarithms.
std::vector<double> alibi_slopes(Index heads);

/// s' = s + b[clip(j - i, -reach, reach) + reach], theta = b, 2 reach + 1 numbers for one head after the other (Shaw,
/// Uszkoreit, Vaswani 2018; as a bias of scores: Raffel et al. 2020). reach >= 0.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> relative_position(Index reach, Sharing sharing = Sharing::per_head);

/// Weights are multiplied by clip((ramp + span - |i - j|) / ramp, 0, 1), so beyond span they fall to 0 over ramp
/// positions, and span is learned: theta = log span (Sukhbaatar et al. 2019; their z, R, x are our span, ramp,
/// |i - j|). No span grows beyond `longest`: from there on theta has gradient 0, and keys further than longest + ramp
/// cost nothing. ramp > 0, longest >= 0, in positions.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> learned_span(std::type_identity_t<Real> ramp,
                                                        std::type_identity_t<Real> longest,
                                                        Sharing sharing = Sharing::per_head);

// Biases of pairs.

/// s' = s + b_ij, theta = b: for each head the matrices of all sets one after the other, each row-major (AlphaFold's
/// pair bias: Jumper et al. 2021, algorithm 7). Offsets as in AttentionSpec; one set of N queries and M keys: {0, N}
/// and {0, M}. Memory and theta are O(pairs); see pair_features() for biases that are not stored.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_bias(std::vector<Index> query_offsets, std::vector<Index> key_offsets);

/// The same with matrices that are given, one for each set, shared by all heads and not learned. -inf forbids a pair.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> fixed_pair_bias(const std::vector<Matrix<Real>>& matrices);

/// A query sees its listed keys only, and s' = s + b_e for the pair that stands at place e of lists.keys: theta = b,
/// one number for each listed pair, for one head after the other. Fixed biases of the lists are not added. The work is
/// O(listed pairs).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> listed_bias(std::shared_ptr<const NeighbourLists> lists);

/// s' = s + sum_f a_f phi_f(i, j), theta = a, for one head after the other; phi is computed when a tile needs it, so
/// memory stays O(N + M) (Particle Transformer's pair features: Qu, Li, Qian 2022).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_features(std::shared_ptr<const PairFeatures<Real>> features,
                                                         Sharing sharing = Sharing::per_head);

// Weights of keys: w_ij ~ m_j exp(s_ij), so a key of weight 3 is three equal keys.

/// s' = s + log m_j, m (M) finite and >= 0; a key of weight 0 (or subnormal) is masked. No parameters.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> key_weights(Vector<Real> weights);

/// s' = s + theta_j, theta = log m of `keys` keys, the same for all heads; -inf masks a key, whose gradient is 0.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> learned_key_weights(Index keys);

// Limits of scores and keys.

/// s' = cap tanh(s / cap), theta = log cap: no score leaves [-cap, cap], small ones stay (Gemma Team 2024, section 2).
/// The relative error of tanh is below 5 units of the last place, also near 0.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> soft_cap(Sharing sharing = Sharing::all_heads);

/// Keys are compared as k' = k min(1, c / |k|), theta = log c: none is longer than c, so no single key can draw all the
/// weight by its length alone (Henry et al. 2020 give all keys one norm).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> key_norm_clipping(Sharing sharing = Sharing::all_heads);

}  // namespace fovea
