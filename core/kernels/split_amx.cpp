// Tiles multiplied by AMX: sums in tiles 0 to 3, left ones in 4 and 5, right ones in 6 and 7. Each loaded tile serves
// two multiplications. Not yet run on a processor with AMX by its authors: the packing, the order of the products and
// everything around are tested with the other two units; the ten instructions below are written from the manual.

#include "fovea/core/kernels/split_bf16.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOVEA_HAS_BF16
#define FOVEA_TARGET __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512bf16")))
#include "fovea/core/kernels/split_bf16.inl"

namespace fovea {
namespace {

/// What LDTILECFG reads: palette 1, all tiles 16 rows of 64 bytes.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShapes) == 64);
constexpr TileShapes kShapes;  // constant memory: the compiler does not know that LDTILECFG reads all of it

// The numbers of tiles must be written as digits: they become part of the instruction.
#define FOVEA_PICK(number, first, second, third, fourth) \
  if constexpr ((number) == 0)                           \
    first;                                               \
  else if constexpr ((number) == 1)                      \
    second;                                              \
  else if constexpr ((number) == 2)                      \
    third;                                               \
  else                                                   \
    fourth

constexpr long kTileRowBytes = 64;

/// The tiles of this thread, for as long as this lives; released so that the system need not save them.
class AmxUnit {
 public:
  FOVEA_INLINE AmxUnit() {
    __asm__ volatile("" ::: "memory");  // what was packed stands in memory: the intrinsics of g++ do not say they read
    _tile_loadconfig(&kShapes);
  }
  FOVEA_INLINE ~AmxUnit() { _tile_release(); }
  AmxUnit(const AmxUnit&) = delete;
  AmxUnit& operator=(const AmxUnit&) = delete;

  template <int I, int J>
  FOVEA_INLINE void zero() {
    FOVEA_PICK(2 * I + J, _tile_zero(0), _tile_zero(1), _tile_zero(2), _tile_zero(3));
  }
  template <int I, int J>
  FOVEA_INLINE void load_sums(const float* c, Index row) {
    const long bytes = row * static_cast<long>(sizeof(float));
    FOVEA_PICK(2 * I + J, _tile_loadd(0, c, bytes), _tile_loadd(1, c, bytes), _tile_loadd(2, c, bytes),
               _tile_loadd(3, c, bytes));
  }
  template <int I, int J>
  FOVEA_INLINE void store_sums(float* c, Index row) {
    const long bytes = row * static_cast<long>(sizeof(float));
    FOVEA_PICK(2 * I + J, _tile_stored(0, c, bytes), _tile_stored(1, c, bytes), _tile_stored(2, c, bytes),
               _tile_stored(3, c, bytes));
  }
  template <int I>
  FOVEA_INLINE void load_left(const Bf16* tile) {
    if constexpr (I == 0)
      _tile_loadd(4, tile, kTileRowBytes);
    else
      _tile_loadd(5, tile, kTileRowBytes);
  }
  template <int J>
  FOVEA_INLINE void load_right(const Bf16* tile) {
    if constexpr (J == 0)
      _tile_loadd(6, tile, kTileRowBytes);
    else
      _tile_loadd(7, tile, kTileRowBytes);
  }
  template <int I, int J>
  FOVEA_INLINE void multiply() {
    FOVEA_PICK(2 * I + J, _tile_dpbf16ps(0, 4, 6), _tile_dpbf16ps(1, 4, 7), _tile_dpbf16ps(2, 5, 6),
               _tile_dpbf16ps(3, 5, 7));
  }
};

/// Whether the system saves the state of tiles: bits 17 and 18 of XCR0.
bool system_saves_tiles() {
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low >> 17 & 3) == 3;
}

/// Linux gives tiles to those who ask for them, a process for all its threads (since 5.16).
bool tiles_are_granted() {
  constexpr long kRequestState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestState, kTileData) == 0;
}

bool find_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c >> 27 & 1) == 0) return false;  // OSXSAVE: xgetbv is there
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  const bool has_tiles = (d >> 24 & 1) != 0, has_bf16 = (d >> 22 & 1) != 0;
  return has_tiles && has_bf16 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512bf16") &&
         system_saves_tiles() && tiles_are_granted();
}

}  // namespace

bool machine_has_amx() {
  static const bool found = find_amx();
  return found;
}

const SplitKernels* amx_split_kernels() { return split_table<AmxUnit>(); }

}  // namespace fovea

#else

namespace fovea {

bool machine_has_amx() { return false; }

const SplitKernels* amx_split_kernels() { return nullptr; }

}  // namespace fovea

#endif
