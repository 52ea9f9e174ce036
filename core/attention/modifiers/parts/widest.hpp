#pragma once
/// Plain loops over the entries of a row, compiled for the vectors of each instruction set. Internal to core/attention.
///
/// A loop is a stateless type with an operator() that is FOVEA_LOOP and treats each entry by itself (`omp simd`, never
/// a sum), so that every width gives the same bits. The sums stand in kernels.hpp, where their order is fixed.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "fovea/core/base/instruction_set.hpp"

namespace fovea {

#define FOVEA_LOOP __attribute__((always_inline))

/// which ? a : b without a branch, so that a loop around it can be turned into vectors on every machine.
template <typename Real>
FOVEA_LOOP inline Real select(bool which, Real a, Real b) {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
  const Bits mask = -static_cast<Bits>(which);
  return std::bit_cast<Real>((std::bit_cast<Bits>(a) & mask) | (std::bit_cast<Bits>(b) & ~mask));
}

#if defined(__x86_64__)
#define FOVEA_LOOP_TARGET(name) __attribute__((target(name)))
#else
#define FOVEA_LOOP_TARGET(name)
#endif

template <typename Loop, typename... Arguments>
FOVEA_LOOP_TARGET("avx512f")
void run_avx512(Arguments... arguments) {
  Loop{}(arguments...);
}
template <typename Loop, typename... Arguments>
FOVEA_LOOP_TARGET("avx2")
void run_avx2(Arguments... arguments) {
  Loop{}(arguments...);
}
template <typename Loop, typename... Arguments>
void run_baseline(Arguments... arguments) {
  Loop{}(arguments...);
}

/// Calls Loop{}(arguments...), compiled for instruction_set().
template <typename Loop, typename... Arguments>
void run_widest(Arguments... arguments) {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return run_avx512<Loop>(arguments...);
    case InstructionSet::avx2:
      return run_avx2<Loop>(arguments...);
    default:
      return run_baseline<Loop>(arguments...);
  }
}

}  // namespace fovea
