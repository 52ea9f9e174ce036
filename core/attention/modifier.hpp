#pragma once
/// A score modifier changes or forbids scores before the normaliser sees them. Modifiers form a list, applied in order.

#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// Keys allowed to each query, as compressed rows: those of query i are keys[offsets[i] .. offsets[i + 1]), ascending.
/// Row numbers as in TileRange.
struct NeighbourLists {
  std::vector<Index> offsets;  ///< as many as there are queries, plus one
  std::vector<Index> keys;
  std::vector<double>
      bias;  ///< optional, one for each entry of keys: added to the pair's score (log of an edge weight)
};

/// One modifier. Works on a tile at a time: one virtual call for many pairs, never one a pair.
/// Parameters theta belong to the caller, so one object serves all threads, and theta can be learned and checked.
template <typename Real>
class ScoreModifier {
 public:
  virtual ~ScoreModifier() = default;
  /// Number of parameters in theta.
  virtual Index parameter_count() const { return 0; }
  /// Throws ArgumentError where the modifier does not fit that many queries and keys. Called once by each attend().
  virtual void check(Index /*queries*/, Index /*keys*/) const {}
  /// What the modifier allows in this range of pairs; `full` where it masks nothing.
  virtual Cover cover(const TileRange&) const { return Cover::full; }
  /// Keys the modifier leaves to each query, when they are few and listed; nullptr otherwise. The engine then visits
  /// the listed keys alone, in O(listed pairs).
  virtual const NeighbourLists* neighbours() const { return nullptr; }
  /// Changes the scores in place; a forbidden pair becomes kMasked. Must treat each row by itself.
  virtual void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const = 0;
  /// before: the scores that apply() was given. gradient: on entry dL/ds', on return dL/ds. theta_gradient: +=
  /// dL/dtheta. Pairs that are masked afterwards have gradient 0 on entry.
  virtual void backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                        std::span<Real> theta_gradient) const = 0;
};

}  // namespace fovea
