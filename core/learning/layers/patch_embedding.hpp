#pragma once
/// Images as sets of tokens.

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

/// patches() of operations.hpp, each projected (Dosovitskiy et al. 2021, eq. 1). Parameters: NAME.weight, NAME.bias.
template <typename Real>
class PatchEmbedding {
 public:
  PatchEmbedding(Parameters<Real>& parameters, const std::string& name, const ImageShape& shape, Index side,
                 Index columns, const Random& random);
  /// B images, one a row -> their patches, one a row.
  Variable<Real> operator()(Variable<Real> images) const;
  /// Patches of one image.
  Index tokens_per_image() const { return (shape_.height / side_) * (shape_.width / side_); }
  /// The sets of that many images; coordinates: row and column of each patch.
  Tokens tokens(Index images) const;

 private:
  ImageShape shape_;
  Index side_;
  Linear<Real> projection_;
};

}  // namespace fovea::learning
