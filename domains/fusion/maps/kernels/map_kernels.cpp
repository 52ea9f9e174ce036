#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

namespace fovea::fusion::maps {

namespace {

const MapKernels* table_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return map_avx512_kernels();
  return set == InstructionSet::avx2 ? map_avx2_kernels() : map_baseline_kernels();
}

}  // namespace

void PieceTable::arrange() {
  for (Index j = 0; j < 16; ++j) sixteenths[j] = thresholds[16 * (j % 8) + 15];
  for (Index k = 0; k < 3; ++k) {
    for (Index j = 0; j < 16; ++j) fourths[k][j] = thresholds[16 * (j % 8) + 4 * k + 3];
    for (Index j = 0; j < 32; ++j) ones[k][j] = thresholds[4 * j + k];
  }
}

const MapKernels* map_kernels_for(InstructionSet set) {
  return kernels_for<float>(set) ? table_of(set) : nullptr;  // the engine knows what the machine has
}

const MapKernels& map_kernels() { return *table_of(instruction_set()); }

}  // namespace fovea::fusion::maps
