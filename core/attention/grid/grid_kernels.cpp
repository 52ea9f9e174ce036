#include "fovea/core/attention/grid/grid_kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
const GridKernels<Real>& best_grid_kernels() {
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2})
    if (const GridKernels<Real>* found = grid_kernels_for<Real>(set)) return *found;
  return *grid_baseline_kernels<Real>();
}

}  // namespace

template <typename Real>
const GridKernels<Real>* grid_kernels_for(InstructionSet set) {
  if (!kernels_for<Real>(set)) return nullptr;  // the engine knows what the machine has
  if (set == InstructionSet::avx512) return grid_avx512_kernels<Real>();
  return set == InstructionSet::avx2 ? grid_avx2_kernels<Real>() : grid_baseline_kernels<Real>();
}

template <typename Real>
const GridKernels<Real>& grid_kernels() {
  static const GridKernels<Real>& best = best_grid_kernels<Real>();
  return best;
}

template const GridKernels<float>* grid_kernels_for(InstructionSet);
template const GridKernels<double>* grid_kernels_for(InstructionSet);
template const GridKernels<float>& grid_kernels();
template const GridKernels<double>& grid_kernels();

}  // namespace fovea
