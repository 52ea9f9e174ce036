#include "fovea/core/learning/registry.hpp"

#include <array>

namespace fovea::learning {

#define FOVEA_OPERATION(name) \
  template <typename Real>    \
  OperationEntry<Real> name##_entry();
#include "fovea/core/learning/operations/table.inl"
#undef FOVEA_OPERATION

template <typename Real>
std::span<const OperationEntry<Real>> operations() {
#define FOVEA_OPERATION(name) name##_entry<Real>(),
  static const std::array table{
#include "fovea/core/learning/operations/table.inl"
  };
#undef FOVEA_OPERATION
  return table;
}

template std::span<const OperationEntry<float>> operations();
template std::span<const OperationEntry<double>> operations();

}  // namespace fovea::learning
