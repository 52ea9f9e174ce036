#include "fovea/core/attention/grid/grid_kernels.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/attention/grid/grid_loops.inl"

namespace fovea {

template <typename Real>
const GridKernels<Real>* grid_baseline_kernels() {
  return &kGridTable<Real>;
}
template const GridKernels<float>* grid_baseline_kernels();
template const GridKernels<double>* grid_baseline_kernels();

}  // namespace fovea
