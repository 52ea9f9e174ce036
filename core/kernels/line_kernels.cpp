#include "fovea/core/kernels/line_kernels.hpp"

namespace fovea {
namespace {

const LineKernels* table_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return line_avx512_kernels();
  return set == InstructionSet::avx2 ? line_avx2_kernels() : line_baseline_kernels();
}

}  // namespace

const LineKernels* line_kernels_for(InstructionSet set) {
  return kernels_for<double>(set) ? table_of(set) : nullptr;  // the engine knows what the machine has
}

const LineKernels& line_kernels() { return *table_of(instruction_set()); }

}  // namespace fovea
