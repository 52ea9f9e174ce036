#include "fovea/core/attention/grid/grid_kernels.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/attention/grid/grid_loops.inl"

template <typename Real>
const fovea::GridKernels<Real>* fovea::grid_baseline_kernels() {
  return &kGridTable<Real>;
}
template const fovea::GridKernels<float>* fovea::grid_baseline_kernels();
template const fovea::GridKernels<double>* fovea::grid_baseline_kernels();
