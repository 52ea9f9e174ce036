#pragma once
/// The modifiers that choose which keys a query sees, from geometry or by a pattern. They have no parameters.

#include <cstdint>
#include <memory>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/neighbours/coordinates.hpp"

namespace fovea {

/// A query sees the k keys nearest to it, or all where its set has fewer; of equally distant ones those with the lowest
/// rows. include_self = false: the keys are the queries, and no query sees itself. The work is O(N log N) once and
/// O(N k) in attend(). Distances in CheckedCoordinates. (Plötz and Roth 2018; k >= 1.)
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> nearest_neighbours(Coordinates coordinates, Index k,
                                                              bool include_self = true);

/// How a modifier that forbids most pairs is worked off: as lists, in O(listed pairs) time and memory, or tile by tile,
/// in O(N + M) memory, where tiles without a visible pair are left out. The sums of a row are grouped differently, so
/// the two differ in the last bits.
enum class PairsAs { lists, tiles };

/// A query sees the keys at a distance <= radius, > 0. As tiles, a block of 64 keys whose box is beyond the radius of
/// the queries' box is left out: of use where rows that are near each other are near in space.
/// Lists cost less where a query sees a hundred keys or fewer. Distances in CheckedCoordinates.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> radius(Coordinates coordinates, double radius,
                                                  PairsAs pairs = PairsAs::lists);

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
