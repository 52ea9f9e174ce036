#include "fovea/core/learning/layers/patch_embedding.hpp"

#include "fovea/core/learning/layers/entry.hpp"

namespace fovea::learning {

template <typename Real>
PatchEmbedding<Real>::PatchEmbedding(Parameters<Real>& parameters, const std::string& name, const ImageShape& shape,
                                     Index side, Index columns, const Random& random)
    : shape_(shape), side_(side), projection_(parameters, name, side * side * shape.channels, columns, random) {}

template <typename Real>
Variable<Real> PatchEmbedding<Real>::operator()(Variable<Real> images) const {
  return projection_(patches(images, shape_, side_));
}

template <typename Real>
Tokens PatchEmbedding<Real>::tokens(Index images) const {
  const Index across = shape_.width / side_, each = tokens_per_image();
  Tokens tokens;
  tokens.coordinates.resize(images * each, 2);
  for (Index image = 0; image <= images; ++image) tokens.offsets.push_back(image * each);
  for (Index k = 0; k < images * each; ++k)
    tokens.coordinates.row(k) << static_cast<double>(k % each / across), static_cast<double>(k % each % across);
  return tokens;
}

template <typename Real>
LayerEntry<Real> patch_embedding_layer_entry() {
  return {"patch_embedding", "patches of an image, x W + b", "Dosovitskiy et al. 2021", 24,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return [layer = PatchEmbedding<Real>(parameters, "patches", {4, 6, 1}, 2, 3, random)](
                       Variable<Real> x, const Tokens&) { return layer(x); };
          }};
}

template class PatchEmbedding<float>;
template class PatchEmbedding<double>;
FOVEA_LAYER_ENTRY(patch_embedding_layer)

}  // namespace fovea::learning
