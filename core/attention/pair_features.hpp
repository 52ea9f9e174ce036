#pragma once
/// Features of pairs that are computed when a tile needs them, and never stored: for the modifier pair_features.

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// phi_f(i, j) for a query row i and a key row j: the distance of two particles, the kind of a bond. One object serves
/// all threads and heads, so fill() must not change it.
template <typename Real>
class PairFeatures {
 public:
  virtual ~PairFeatures() = default;
  /// Number of features, at least 1.
  virtual Index count() const = 0;
  /// Throws ArgumentError where the features do not fit the problem. Called once by each attend().
  virtual void check(const AttentionShape&) const {}
  /// features[f * key_count + j] = phi_f(query i of the tile, its key j), for all keys of the tile; rows and positions
  /// as TileRange counts them. Finite for every pair, masked or not. Asked for again by each head and by the backward
  /// pass, and must then give the same.
  virtual void fill(const TileRange& tile, Index i, Real* features) const = 0;
};

}  // namespace fovea
