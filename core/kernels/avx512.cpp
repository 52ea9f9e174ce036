#include "fovea/core/kernels/variants.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/core/kernels/loops.inl"

namespace fovea {

template <>
const Kernels<float>* avx512_kernels() {
  return &kTable<float>;
}
template <>
const Kernels<double>* avx512_kernels() {
  return &kTable<double>;
}

}  // namespace fovea

#else

namespace fovea {

template <>
const Kernels<float>* avx512_kernels() {
  return nullptr;
}
template <>
const Kernels<double>* avx512_kernels() {
  return nullptr;
}

}  // namespace fovea

#endif
