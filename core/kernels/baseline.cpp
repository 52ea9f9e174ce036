#include "fovea/core/kernels/variants.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/kernels/loops.inl"

namespace fovea {

template <>
const Kernels<float>* baseline_kernels() {
  return &kTable<float>;
}
template <>
const Kernels<double>* baseline_kernels() {
  return &kTable<double>;
}

}  // namespace fovea
