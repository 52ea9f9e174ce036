#include "fovea/core/learning/layers/registry.hpp"

#include <array>

namespace fovea::learning {

#define FOVEA_LAYER(name)  \
  template <typename Real> \
  LayerEntry<Real> name##_layer_entry();
#include "fovea/core/learning/layers/table.inl"
#undef FOVEA_LAYER

template <typename Real>
std::span<const LayerEntry<Real>> layers() {
#define FOVEA_LAYER(name) name##_layer_entry<Real>(),
  static const std::array table{
#include "fovea/core/learning/layers/table.inl"
  };
#undef FOVEA_LAYER
  return table;
}

template std::span<const LayerEntry<float>> layers();
template std::span<const LayerEntry<double>> layers();

}  // namespace fovea::learning
