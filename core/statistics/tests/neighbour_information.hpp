#pragma once
/// Conditional mutual information from distances to nearest neighbours, for many x with the same y and z.

#include <cstdint>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Of n points the place of each among them: 0 to n - 1, each once.
using RankColumn = std::vector<std::int16_t>;

/// I(x; y | z) in nats of n points (Frenzel & Pompe 2007, eq. 5):
///
///   psi(k) + < psi(n_z + 1) - psi(n_xz + 1) - psi(n_yz + 1) >
///
/// with e the distance to the k-th neighbour, in the largest of |x - x'|, |y - y'|, |z - z'|, and n_w how many others
/// are nearer than e in w alone; psi the digamma function. x, y and z are ranks: distances are whole numbers, so that
/// who is exactly as far as the k-th is not a matter of rounding, and 8 are compared at a time. Distances in y
/// and z are ordered once: O(n^2) time and 6 n^2 bytes; an x then takes O(n^2 / 8) or so.
class NeighbourInformation {
 public:
  static constexpr Index kMostPoints = 16000;  ///< sums of two ranks fit into 16 bits

  /// y, z (one at least): ranks of the same n <= 16000 points; k in [1, n).
  NeighbourInformation(const RankColumn& y, const std::vector<RankColumn>& z, Index k);

  /// Of each x. Can be below 0 by chance.
  std::vector<double> operator()(const std::vector<RankColumn>& xs) const;

 private:
  struct Other {
    std::int16_t distance, point;
  };
  /// Distance to the k-th neighbour of `a`, and how many are nearer than that in (y, z).
  struct Reach {
    std::int16_t distance;
    Index nearer_yz;
  };
  Reach reach_of(Index a, const std::int16_t* x, std::vector<std::int16_t>& nearest) const;

  Index n_, k_, padded_;
  std::vector<std::int16_t> distances_z_;  ///< n x padded_, what pads is far away
  std::vector<Other> others_;              ///< of each point the n - 1 others, the nearest in (y, z) first
  std::vector<double> digamma_;            ///< at 0 (unused), 1, ..., n
};

}  // namespace fovea
