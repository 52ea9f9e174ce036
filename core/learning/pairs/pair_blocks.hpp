#pragma once
/// The arithmetic of a pair network: some pairs side by side in the registers, through all layers. Internal to
/// core/learning/pairs.
///
/// Values stand feature by feature: value c of pair p at [c * kPairBlock + p]. Every value is one chain of fused
/// multiply-adds from its bias on, whatever pairs stand beside it.

#include <vector>

#include "fovea/core/base/memory.hpp"
#include "fovea/core/learning/activation.hpp"

namespace fovea::learning {

inline constexpr Index kPairBlock = 64;  ///< pairs: with the weights of a layer, values that stay in the first cache
inline constexpr Index kMostPairLayers = 8;

/// A network as it stands in memory: W_l (widths[l] x widths[l + 1]) row-major, b_l.
template <typename Real>
struct PairNet {
  Index layers = 0;
  Index widths[kMostPairLayers + 1] = {};
  const Real* weights[kMostPairLayers] = {};
  const Real* biases[kMostPairLayers] = {};
  Activation activation = Activation::gelu;

  Index widest() const;
  Index outputs() const { return widths[layers]; }
};

/// Sums of dL/dW_l and dL/db_l; rows of W are filled up to whole registers.
template <typename Real>
struct PairNetGradients {
  explicit PairNetGradients(const PairNet<Real>& net);
  AlignedVector<Real> weights[kMostPairLayers], biases[kMostPairLayers];
};

/// Memory of a thread for a block.
template <typename Real>
class PairBlockMemory {
 public:
  static PairBlockMemory& mine();
  /// Room for the features of a block.
  Real* features(const PairNet<Real>& net);
  /// The outputs of the block whose features are there.
  const Real* forward(const PairNet<Real>& net);
  /// The values of the hidden layers instead, kept for backward().
  void forward_kept(const PairNet<Real>& net);
  /// From dL/d(outputs), behind forward_kept(): adds to the sums. Returns dL/d(features), nullptr where nobody wants
  /// it.
  const Real* backward(const PairNet<Real>& net, const Real* output_gradient, bool wants_features,
                       PairNetGradients<Real>& sums);

 private:
  const Real* layer(const PairNet<Real>& net, Index l, const Real* x, Real* z) const;
  AlignedVector<Real> values_[kMostPairLayers + 1];  ///< what enters layer l
  AlignedVector<Real> slopes_[kMostPairLayers];      ///< of the activation behind layer l
  AlignedVector<Real> sums_[2], turned_, gradient_[2];
};

}  // namespace fovea::learning
