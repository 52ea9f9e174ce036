// Tiles multiplied by VDPBF16PS: for each tile of 32 terms a sum that starts from 0, pair after pair, odd term first;
// then that is added to C, as TDPBF16PS does: so few roundings are of the size of C.

#include "fovea/core/kernels/split_bf16.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#define FOVEA_HAS_BF16
#define FOVEA_TARGET __attribute__((target("avx512f,avx512bw,avx512bf16")))
#include "fovea/core/kernels/split_bf16.inl"

namespace fovea {
namespace {

class Avx512Unit {
 public:
  template <int I, int J>
  FOVEA_INLINE void zero() {
    std::memset(sums_[I][J], 0, sizeof sums_[I][J]);
  }
  template <int I, int J>
  FOVEA_INLINE void load_sums(const float* c, Index row) {
    for (Index i = 0; i < kTileEdge; ++i) std::memcpy(&sums_[I][J][i], c + i * row, sizeof(Numbers));
  }
  template <int I, int J>
  FOVEA_INLINE void store_sums(float* c, Index row) {
    for (Index i = 0; i < kTileEdge; ++i) std::memcpy(c + i * row, &sums_[I][J][i], sizeof(Numbers));
  }
  template <int I>
  FOVEA_INLINE void load_left(const Bf16* tile) {
    left_[I] = tile;
  }
  template <int J>
  FOVEA_INLINE void load_right(const Bf16* tile) {
    right_[J] = tile;
  }
  template <int I, int J>
  FOVEA_INLINE void multiply() {
    __m512 sums[kTileEdge] = {};
    for (Index k = 0; k < kTileEdge; ++k) {
      const __m512i right = _mm512_loadu_si512(right_[J] + k * kTileTerms);
#pragma GCC unroll 16
      for (int i = 0; i < kTileEdge; ++i) {
        int pair;
        std::memcpy(&pair, left_[I] + i * kTileTerms + 2 * k, sizeof pair);
        sums[i] = _mm512_dpbf16_ps(sums[i], (__m512bh)_mm512_set1_epi32(pair), (__m512bh)right);
      }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kTileEdge; ++i) sums_[I][J][i] += reinterpret_cast<Numbers>(sums[i]);
  }

 private:
  Numbers sums_[2][2][kTileEdge];
  const Bf16 *left_[2], *right_[2];
};

}  // namespace

const SplitKernels* avx512_split_kernels() { return split_table<Avx512Unit>(); }

}  // namespace fovea

#else

namespace fovea {

const SplitKernels* avx512_split_kernels() { return nullptr; }

}  // namespace fovea

#endif
