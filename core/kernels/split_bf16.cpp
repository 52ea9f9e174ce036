#include "fovea/core/kernels/split_bf16.hpp"

#include "fovea/core/base/instruction_set.hpp"

namespace fovea {
namespace {

bool machine_has_avx512_bf16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

TileUnit find_best_tile_unit() {
  for (const TileUnit unit : {TileUnit::amx, TileUnit::avx512_bf16})
    if (split_kernels_for(unit)) return unit;
  return TileUnit::emulated;
}

}  // namespace

const SplitKernels* split_kernels_for(TileUnit unit) {
  switch (unit) {
    case TileUnit::amx:
      return machine_has_amx() ? amx_split_kernels() : nullptr;
    case TileUnit::avx512_bf16:
      return machine_has_avx512_bf16() ? avx512_split_kernels() : nullptr;
    default:
      return emulated_split_kernels();
  }
}

TileUnit best_tile_unit() {
  if (instruction_set() != InstructionSet::avx512) return TileUnit::emulated;  // the others came after AVX-512
  static const TileUnit best = find_best_tile_unit();
  return best;
}

}  // namespace fovea
