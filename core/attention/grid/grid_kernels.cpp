#include "fovea/core/attention/grid/grid_kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
const GridKernels<Real>* table_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return grid_avx512_kernels<Real>();
  return set == InstructionSet::avx2 ? grid_avx2_kernels<Real>() : grid_baseline_kernels<Real>();
}

}  // namespace

template <typename Real>
const GridKernels<Real>* grid_kernels_for(InstructionSet set) {
  return kernels_for<Real>(set) ? table_of<Real>(set) : nullptr;  // the engine knows what the machine has
}

template <typename Real>
const GridKernels<Real>& grid_kernels() {
  return *table_of<Real>(instruction_set());
}

template const GridKernels<float>* grid_kernels_for(InstructionSet);
template const GridKernels<double>* grid_kernels_for(InstructionSet);
template const GridKernels<float>& grid_kernels();
template const GridKernels<double>& grid_kernels();

}  // namespace fovea
