#pragma once
/// Conditional mutual information from distances to nearest neighbours, for many x with the same y and z.

#include <cstdint>
#include <vector>

#include "fovea/core/attention/matrix.hpp"

namespace fovea {

/// I(x; y | z) in nats of n points (Frenzel & Pompe 2007, eq. 5):
///
///   psi(k) + < psi(n_z + 1) - psi(n_xz + 1) - psi(n_yz + 1) >
///
/// with e the distance to the k-th neighbour, in the largest of |x - x'|, |y - y'|, |z - z'|, and n_w how many others
/// are nearer than e in w alone; psi the digamma function. What belongs to y and z is ordered once: O(n^2 log n) time
/// and 8 n^2 bytes; an x then takes O(n (k + n_z)) or so.
class NeighbourInformation {
 public:
  /// y (n), z (n x d, d >= 1): finite, on comparable scales, without ties; k in [1, n).
  NeighbourInformation(const Vector<double>& y, const Matrix<double>& z, Index k);

  /// x (n), finite. Can be below 0 by chance.
  double operator()(const Vector<double>& x) const;

 private:
  double distance_z(Index a, Index b) const;
  double distance_yz(Index a, Index b) const;
  const std::int32_t* order(const std::vector<std::int32_t>& orders, Index row) const {
    return orders.data() + row * (n_ - 1);
  }

  Vector<double> y_;
  Matrix<double> z_;
  Index n_, k_;
  std::vector<std::int32_t> by_z_, by_yz_;  ///< of each point the others, the nearest first
  std::vector<double> digamma_;             ///< at 0 (unused), 1, ..., n
};

}  // namespace fovea
