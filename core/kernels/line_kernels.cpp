#include "fovea/core/kernels/line_kernels.hpp"

namespace fovea {
namespace {

const LineKernels& best_line_kernels() {
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2})
    if (const LineKernels* found = line_kernels_for(set)) return *found;
  return *line_baseline_kernels();
}

}  // namespace

const LineKernels* line_kernels_for(InstructionSet set) {
  if (!kernels_for<double>(set)) return nullptr;  // the engine knows what the machine has
  if (set == InstructionSet::avx512) return line_avx512_kernels();
  return set == InstructionSet::avx2 ? line_avx2_kernels() : line_baseline_kernels();
}

const LineKernels& line_kernels() {
  static const LineKernels& best = best_line_kernels();
  return best;
}

}  // namespace fovea
