#include "fovea/core/attention/grid/grid_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/core/attention/grid/grid_loops.inl"

namespace fovea {

template <typename Real>
const GridKernels<Real>* grid_avx512_kernels() {
  return &kGridTable<Real>;
}
template const GridKernels<float>* grid_avx512_kernels();
template const GridKernels<double>* grid_avx512_kernels();

}  // namespace fovea

#else

namespace fovea {

template <typename Real>
const GridKernels<Real>* grid_avx512_kernels() {
  return nullptr;
}
template const GridKernels<float>* grid_avx512_kernels();
template const GridKernels<double>* grid_avx512_kernels();

}  // namespace fovea

#endif
