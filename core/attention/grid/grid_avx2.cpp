#include "fovea/core/attention/grid/grid_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/attention/grid/grid_loops.inl"

namespace fovea {

template <typename Real>
const GridKernels<Real>* grid_avx2_kernels() {
  return &kGridTable<Real>;
}
template const GridKernels<float>* grid_avx2_kernels();
template const GridKernels<double>* grid_avx2_kernels();

}  // namespace fovea

#else

namespace fovea {

template <typename Real>
const GridKernels<Real>* grid_avx2_kernels() {
  return nullptr;
}
template const GridKernels<float>* grid_avx2_kernels();
template const GridKernels<double>* grid_avx2_kernels();

}  // namespace fovea

#endif
