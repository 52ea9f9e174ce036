#include "fovea/core/kernels/variants.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/kernels/loops.inl"
#define FOVEA_TABLE &kTable<Real>
#else
#define FOVEA_TABLE nullptr
#endif

template <typename Real>
const fovea::Kernels<Real>* fovea::avx2_kernels() {
  return FOVEA_TABLE;
}
template const fovea::Kernels<float>* fovea::avx2_kernels();
template const fovea::Kernels<double>* fovea::avx2_kernels();
