// TDPBF16PS in plain C++, from the manual: for each tile of 32 terms, the products of even and of odd terms are summed
// apart, in order, starting from 0; then both sums are added, and that to C. Subnormal numbers are 0 throughout.

#define FOVEA_TARGET
#include "fovea/core/kernels/split_bf16.inl"

namespace fovea {
namespace {

inline __attribute__((always_inline)) Numbers flushed(Numbers x) {
  const Words size = reinterpret_cast<Words>(x) & ~kSign;
  return reinterpret_cast<SignedWords>(size) < kLeastNormal ? Numbers{} : x;
}

class EmulatedUnit {
 public:
  template <int I, int J>
  void zero() {
    std::memset(sums_[I][J], 0, sizeof sums_[I][J]);
  }
  template <int I, int J>
  void load_sums(const float* c, Index row) {
    for (Index i = 0; i < kTileEdge; ++i) std::memcpy(&sums_[I][J][i], c + i * row, sizeof(Numbers));
  }
  template <int I, int J>
  void store_sums(float* c, Index row) {
    for (Index i = 0; i < kTileEdge; ++i) std::memcpy(c + i * row, &sums_[I][J][i], sizeof(Numbers));
  }
  template <int I>
  void load_left(const Bf16* tile) {
    left_[I] = tile;
  }
  template <int J>
  void load_right(const Bf16* tile) {
    right_[J] = tile;
  }
  template <int I, int J>
  void multiply() {
    for (Index i = 0; i < kTileEdge; ++i) add_row(left_[I] + i * kTileTerms, right_[J], sums_[I][J][i]);
  }

 private:
  static Numbers number(std::uint32_t upper) { return reinterpret_cast<Numbers>(Words{} + upper); }

  static void add_row(const Bf16* left, const Bf16* right, Numbers& sum) {
    Numbers even = {}, odd = {};
    for (Index k = 0; k < kTileEdge; ++k) {
      Words pairs;
      std::memcpy(&pairs, right + k * kTileTerms, sizeof pairs);
      const Numbers even_right = flushed(reinterpret_cast<Numbers>(pairs << 16));
      const Numbers odd_right = flushed(reinterpret_cast<Numbers>(pairs & kUpperHalf));
      // a product of two bf16 has 16 bits: only its sum is rounded
      const std::uint32_t even_left = left[2 * k], odd_left = left[2 * k + 1];
      even = flushed(even + flushed(number(even_left << 16)) * even_right);
      odd = flushed(odd + flushed(number(odd_left << 16)) * odd_right);
    }
    sum = flushed(flushed(sum) + flushed(even + odd));
  }

  Numbers sums_[2][2][kTileEdge];
  const Bf16 *left_[2], *right_[2];
};

}  // namespace

const SplitKernels* emulated_split_kernels() { return split_table<EmulatedUnit>(); }

}  // namespace fovea
