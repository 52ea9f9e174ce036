#include "fovea/core/kernels/variants.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/core/kernels/loops.inl"
#define FOVEA_TABLE &kTable<Real>
#else
#define FOVEA_TABLE nullptr
#endif

template <typename Real>
const fovea::Kernels<Real>* fovea::avx512_kernels() {
  return FOVEA_TABLE;
}
template const fovea::Kernels<float>* fovea::avx512_kernels();
template const fovea::Kernels<double>* fovea::avx512_kernels();
