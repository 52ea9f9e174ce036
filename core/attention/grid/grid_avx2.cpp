#include "fovea/core/attention/grid/grid_kernels.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/attention/grid/grid_loops.inl"
#define FOVEA_TABLE &kGridTable<Real>
#else
#define FOVEA_TABLE nullptr
#endif

template <typename Real>
const fovea::GridKernels<Real>* fovea::grid_avx2_kernels() {
  return FOVEA_TABLE;
}
template const fovea::GridKernels<float>* fovea::grid_avx2_kernels();
template const fovea::GridKernels<double>* fovea::grid_avx2_kernels();
