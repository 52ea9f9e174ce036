#pragma once
/// What all modifiers have in common that only forbid pairs. Internal to core/attention.

#include "fovea/core/attention/modifier.hpp"

namespace fovea {

template <typename Real>
class Mask : public ScoreModifier<Real> {
 public:
  Real bound(const TileRange&, Real incoming, std::span<const Real>) const override { return incoming; }
  Real largest_difference(const TileRange&, Real incoming, std::span<const Real>) const override { return incoming; }
  bool reads_scores() const override { return false; }
  // A forbidden pair has gradient 0 already; the others keep theirs.
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>&, std::span<const Real>, std::span<Real>) const override {
  }
};

}  // namespace fovea
