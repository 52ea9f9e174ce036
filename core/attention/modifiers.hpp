#pragma once
/// The modifiers there are. Each has its own file in modifiers/; the table is modifiers/table.inl.

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/pair_features.hpp"
#include "fovea/core/attention/neighbours/coordinates.hpp"

namespace fovea {

/// s' = s / tau, theta = {log tau} or one for each head: a positive temperature for any theta.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> temperature(Sharing sharing = Sharing::all_heads);

/// A query at position i sees keys at positions j <= i of its set.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> causal();

/// A query at position i sees keys with |i - j| <= reach.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> window(Index reach);

/// A query sees its listed keys only (a graph). The work is O(listed pairs).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(NeighbourLists lists);

// --- decay with time: the stamps may be irregular and in any order
// -----------------------------------------------------

/// What theta of a decay holds.
enum class DecayParameter { rate, half_life };

struct TimeDecayOptions {
  Sharing sharing = Sharing::all_heads;
  DecayParameter learned = DecayParameter::rate;
  bool past_only = false;  ///< a query sees only keys with t_key <= t_query
};

/// s' = s - rate |t_query - t_key|, theta = {log rate} or {log half_life} with rate = ln 2 / half_life: after the
/// softmax a weight carries exp(-rate age) and halves with each half-life. t_query (N), t_key (M): times of the rows,
/// same unit. Throws ArgumentError where a time is not finite.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay(Vector<Real> t_query, Vector<Real> t_key,
                                                      const TimeDecayOptions& options = {});

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

// --- distance of positions, i and j counted within the set
// --------------------------------------------------------------

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
/// positions, and span is learned: theta = log span (Sukhbaatar et al. 2019, eq. 5; their z, R, x are our span, ramp,
/// |i - j|). No span grows beyond `longest`: from there on theta has gradient 0, and keys further than longest + ramp
/// cost nothing. ramp > 0, longest >= 0, in positions.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> learned_span(std::type_identity_t<Real> ramp,
                                                        std::type_identity_t<Real> longest,
                                                        Sharing sharing = Sharing::per_head);

// --- biases of pairs
// ----------------------------------------------------------------------------------------------------

/// s' = s + b_ij, theta = b: for each head the matrices of all sets one after the other, each row-major (AlphaFold's
/// pair bias: Jumper et al. 2021, algorithm 7). Offsets as in AttentionSpec; one set of N queries and M keys: {0, N}
/// and {0, M}. Memory and theta are O(pairs); see pair_features() for biases that are not stored.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_bias(std::vector<Index> query_offsets, std::vector<Index> key_offsets);

/// The same with matrices that are given, one for each set, shared by all heads and not learned. -inf forbids a pair.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> fixed_pair_bias(const std::vector<Matrix<Real>>& matrices);

/// s' = s + sum_f a_f phi_f(i, j), theta = a, for one head after the other; phi is computed when a tile needs it, so
/// memory stays O(N + M) (Particle Transformer's pair features: Qu, Li, Qian 2022).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_features(std::shared_ptr<const PairFeatures<Real>> features,
                                                         Sharing sharing = Sharing::per_head);

// --- limits
// ---------------------------------------------------------------------------------------------------------------

/// s' = cap tanh(s / cap), theta = log cap: no score leaves [-cap, cap], small ones stay (Gemma Team 2024, section 2).
/// The relative error of tanh is below 5 units of the last place, also near 0.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> soft_cap(Sharing sharing = Sharing::all_heads);

/// Keys are compared as k' = k min(1, c / |k|), theta = log c: none is longer than c, so no single key can draw all the
/// weight by its length alone (Henry et al. 2020 give all keys one norm).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> key_norm_clipping(Sharing sharing = Sharing::all_heads);

/// A query sees the k keys nearest to it, or all where its set has fewer; of equally distant ones those with the lowest
/// rows. include_self = false: the keys are the queries, and no query sees itself. The work is O(N log N) once and
/// O(N k) in attend(). Distances in CheckedCoordinates. (Plötz and Roth 2018; k >= 1.)
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> nearest_neighbours(Coordinates coordinates, Index k,
                                                              bool include_self = true);

/// How a modifier that forbids most pairs is worked off: as lists, in O(listed pairs) time and memory, or tile by tile,
/// in O(N + M) memory, where tiles without a visible pair are left out. The sums of a row are grouped differently, so
/// the two differ in the last bits.
enum class PairsAs { automatic, lists, tiles };

/// A query sees the keys at a distance <= radius, > 0. As tiles, a block of 64 keys whose box is beyond the radius of
/// the queries' box is left out: of use where rows that are near each other are near in space.
/// automatic: lists if a query sees at most 128 keys on average, tiles otherwise. The average is over all sets: say
/// lists or tiles where a set must keep its bits whatever it is packed with. Distances in CheckedCoordinates.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> radius(Coordinates coordinates, double radius,
                                                  PairsAs pairs = PairsAs::automatic);

/// A query at position i sees keys with |i - j| <= reach; the queries at global positions see all keys, and the keys
/// there are seen by all (Beltagy et al. 2020). global_positions: ascending; those beyond the end of a set do nothing.
/// sets: optional, those of attend(). Given, the pairs are listed if 2 reach + 1 + global positions <= 64.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> longformer(Index reach, std::vector<Index> global_positions,
                                                      PackedSets sets = {});

/// The numbers of a BigBird pattern. Blocks count from the start of a set; its last may be short.
struct BigBird {
  Index block = 64;         ///< positions of one block, >= 1
  Index window_blocks = 3;  ///< odd: the query's own block and as many on either side
  Index global_blocks = 1;  ///< the first blocks of a set: they see all and are seen by all
  Index random_blocks = 2;  ///< drawn for each block of queries from those that are neither near nor global
  std::uint64_t seed = 1;
};

/// A query sees the keys of blocks near its own, of global blocks and of random ones (Zaheer et al. 2020).
/// What is drawn depends on the seed, the block of queries and the number of blocks of keys in its set alone.
/// sets: those of attend(). The pairs are listed if block (window_blocks + global_blocks + random_blocks) <= 64.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> big_bird(const BigBird& shape, PackedSets sets);

/// A query at position i sees itself and the `stride` keys before it, and those whose distance i - j > 0 is a multiple
/// of the stride (Child et al. 2019; both of its strided patterns at once). With a stride near sqrt(N) the work is
/// O(N sqrt(N)). sets: optional, those of attend(). Given, the pairs are listed if stride >= 8.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> strided(Index stride, PackedSets sets = {});

}  // namespace fovea
