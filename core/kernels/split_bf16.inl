// The kernels of split_bf16.hpp for one unit. The including file defines FOVEA_TARGET (the function attribute that
// selects the instruction set) and, where that has AVX512-BF16, FOVEA_HAS_BF16; and behind this file a class with
//   zero<I, J>(), load_sums<I, J>(c, row), store_sums<I, J>(c, row)   the sums of tile (I, J) of a 2 x 2 block
//   load_left<I>(tile), load_right<J>(tile), multiply<I, J>()         sums (I, J) += left I times right J
// and takes split_table<Unit>(). Everything here has internal linkage, as in loops.inl.

#include <algorithm>
#include <cstring>
#include <limits>

#include "fovea/core/kernels/split_bf16.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 says so of its own header's undefined vectors
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define FOVEA_INLINE __attribute__((always_inline)) FOVEA_TARGET

namespace fovea {
namespace {

typedef float Numbers __attribute__((vector_size(64)));
typedef std::uint32_t Words __attribute__((vector_size(64)));
typedef std::int32_t SignedWords __attribute__((vector_size(64)));
typedef Bf16 Halves __attribute__((vector_size(32)));
constexpr int kVector = 16;

constexpr std::uint32_t kSign = 0x80000000, kUpperHalf = 0xffff0000;
constexpr std::int32_t kInfinity = 0x7f800000, kLargestBf16 = 0x7f7f0000, kLeastNormal = 0x00800000,
                       kQuietNan = 0x7fc00000;

/// Which of the products of parts are summed, in this order: neighbours share a part, so that a tile is loaded as
/// rarely as can be.
struct PartPair {
  int left, right;
};
template <int Parts>
constexpr PartPair kProducts[] = {{1, 0}, {0, 0}, {0, 1}};
template <>
constexpr PartPair kProducts<3>[] = {{2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {0, 2}};

FOVEA_INLINE inline Words round_up_to_even(Words size) { return (size + 0x7fff + ((size >> 16) & 1)) & kUpperHalf; }

/// The nearest bf16 in the upper half of a word; the largest instead of an overflow; 0 for a subnormal.
FOVEA_INLINE inline Words nearest_bf16(Words bits) {
  const SignedWords size = reinterpret_cast<SignedWords>(bits & ~kSign);
  SignedWords result = reinterpret_cast<SignedWords>(round_up_to_even(reinterpret_cast<Words>(size)));
  const SignedWords none = {}, largest = none + kLargestBf16, infinity = none + kInfinity, nan = none + kQuietNan;
  result = result > largest ? largest : result;
  result = size >= infinity ? (size > infinity ? nan : infinity) : result;
  result = size < kLeastNormal ? none : result;
  return reinterpret_cast<Words>(result) | (bits & kSign);
}

/// Bounded: from 0 to 1.
template <int Parts, bool Bounded>
FOVEA_INLINE inline void split(Numbers x, Words* parts) {
  const SignedWords size = reinterpret_cast<SignedWords>(reinterpret_cast<Words>(x) & ~kSign);
  for (int p = 0; p < Parts; ++p) {
    const Words bits = reinterpret_cast<Words>(x);
    parts[p] = Bounded ? round_up_to_even(bits) : nearest_bf16(bits);
    x = x - reinterpret_cast<Numbers>(parts[p]);
    if (!Bounded && p == 0) x = size < kInfinity ? x : Numbers{};  // inf - inf
  }
}

FOVEA_INLINE inline Numbers load_some(const float* from, Index count) {
  Numbers x = {};
  if (count >= kVector) {
    std::memcpy(&x, from, sizeof x);
  } else {
    float some[kVector] = {};
    for (Index i = 0; i < count; ++i) some[i] = from[i];
    std::memcpy(&x, some, sizeof x);
  }
  return x;
}

#ifdef FOVEA_HAS_BF16
/// 32 terms, each part to a row of its own tile, by the processor's own rounding. No number is beyond the largest bf16.
template <int Parts>
FOVEA_INLINE inline void pack_fast(__m512 low, __m512 high, Bf16* to) {
#pragma GCC unroll 3
  for (int p = 0; p < Parts; ++p) {
    const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(high, low);
    _mm512_storeu_si512(to + p * kTileSize, both);
    const __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(both)),
                  second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(both, 1));
    low = low - _mm512_castsi512_ps(_mm512_slli_epi32(first, 16));
    high = high - _mm512_castsi512_ps(_mm512_slli_epi32(second, 16));
  }
}

/// 16 columns of two terms, pairs side by side.
template <int Parts>
FOVEA_INLINE inline void pack_pairs_fast(__m512 even, __m512 odd, Bf16* to) {
#pragma GCC unroll 3
  for (int p = 0; p < Parts; ++p) {
    const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(odd, even);
    const __m512i evens = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(both)),
                  odds = _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(both, 1)), 16);
    _mm512_storeu_si512(to + p * kTileSize, _mm512_or_si512(evens, odds));
    even = even - _mm512_castsi512_ps(_mm512_slli_epi32(evens, 16));
    odd = odd - _mm512_castsi512_ps(odds);
  }
}

FOVEA_INLINE inline bool within_bf16(__m512 x) {
  const __m512 largest = _mm512_castsi512_ps(_mm512_set1_epi32(kLargestBf16));
  return _mm512_cmp_ps_mask(_mm512_abs_ps(x), largest, _CMP_NLE_UQ) == 0;
}
#endif

/// 32 terms, each part to a row of its own tile.
template <int Parts, bool Bounded>
FOVEA_INLINE inline void pack_terms(const float* from, Index count, Bf16* to) {
  const Numbers low = load_some(from, count), high = load_some(from + kVector, count - kVector);
#ifdef FOVEA_HAS_BF16
  const __m512 low_half = reinterpret_cast<__m512>(low), high_half = reinterpret_cast<__m512>(high);
  if (Bounded || (within_bf16(low_half) && within_bf16(high_half))) {
    pack_fast<Parts>(low_half, high_half, to);
    return;
  }
#endif
  for (int half = 0; half < 2; ++half) {
    Words parts[Parts];
    split<Parts, Bounded>(half == 0 ? low : high, parts);
    for (int p = 0; p < Parts; ++p) {
      const Halves halves = __builtin_convertvector(parts[p] >> 16, Halves);
      std::memcpy(to + p * kTileSize + half * kVector, &halves, sizeof halves);
    }
  }
}

template <int Parts, bool Bounded>
FOVEA_TARGET void pack_left_parts(Index rows, Index terms, const float* from, Index row, Bf16* tiles) {
  const Index steps = whole_tiles(terms, kTileTerms);
  for (Index first = 0; first < rows; first += kTileEdge, tiles += steps * Parts * kTileSize)
    for (Index i = 0; i < kTileEdge; ++i)
      for (Index k = 0; k < steps; ++k) {
        const Index count = first + i < rows ? terms - k * kTileTerms : 0;
        const float* at = count > 0 ? from + (first + i) * row + k * kTileTerms : from;
        pack_terms<Parts, Bounded>(at, count, tiles + k * Parts * kTileSize + i * kTileTerms);
      }
}

template <bool Bounded>
FOVEA_TARGET void pack_left(int parts, Index rows, Index terms, const float* from, Index row, Bf16* tiles) {
  if (parts == 2)
    pack_left_parts<2, Bounded>(rows, terms, from, row, tiles);
  else
    pack_left_parts<3, Bounded>(rows, terms, from, row, tiles);
}

/// 16 rows of 16 pairs of terms become 16 pairs of rows, four by four.
FOVEA_INLINE inline void turn_pairs(const Bf16* from, Bf16* to) {
  typedef std::uint32_t Four __attribute__((vector_size(16)));
  for (Index i = 0; i < kTileEdge; i += 4)
    for (Index j = 0; j < kTileEdge; j += 4) {
      Four r[4];
      for (Index k = 0; k < 4; ++k) std::memcpy(&r[k], from + (i + k) * kTileTerms + 2 * j, sizeof r[k]);
      const Four a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
                 b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
      const Four c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
                 d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
      const Four turned[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                              __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
      for (Index k = 0; k < 4; ++k) std::memcpy(to + (j + k) * kTileTerms + 2 * i, &turned[k], sizeof turned[k]);
    }
}

// A left tile turned, pairs of terms staying together.
template <int Parts>
FOVEA_TARGET void pack_column_parts(Index columns, Index terms, const float* from, Index row, Bf16* tiles) {
  const Index steps = whole_tiles(terms, kTileTerms);
  const Index padded = whole_tiles(columns, kTileTerms) * kTileTerms;
  Bf16 straight[Parts * kTileSize];
  for (Index first = 0; first < padded; first += kTileEdge)
    for (Index k = 0; k < steps; ++k, tiles += Parts * kTileSize) {
      for (Index j = 0; j < kTileEdge; ++j) {
        const Index count = first + j < columns ? terms - k * kTileTerms : 0;
        const float* at = count > 0 ? from + (first + j) * row + k * kTileTerms : from;
        pack_terms<Parts, false>(at, count, straight + j * kTileTerms);
      }
      for (int p = 0; p < Parts; ++p) turn_pairs(straight + p * kTileSize, tiles + p * kTileSize);
    }
}

FOVEA_TARGET void pack_columns(int parts, Index columns, Index terms, const float* from, Index row, Bf16* tiles) {
  if (parts == 2)
    pack_column_parts<2>(columns, terms, from, row, tiles);
  else
    pack_column_parts<3>(columns, terms, from, row, tiles);
}

template <int Parts>
FOVEA_INLINE inline void pack_pairs(Numbers even, Numbers odd, Bf16* to) {
#ifdef FOVEA_HAS_BF16
  const __m512 first = reinterpret_cast<__m512>(even), second = reinterpret_cast<__m512>(odd);
  if (within_bf16(first) && within_bf16(second)) {
    pack_pairs_fast<Parts>(first, second, to);
    return;
  }
#endif
  Words evens[Parts], odds[Parts];
  split<Parts, false>(even, evens);
  split<Parts, false>(odd, odds);
  for (int p = 0; p < Parts; ++p) {
    const Words both = (evens[p] >> 16) | odds[p];
    std::memcpy(to + p * kTileSize, &both, sizeof both);
  }
}

template <int Parts>
FOVEA_TARGET void pack_row_parts(Index columns, Index terms, const float* from, Index row, Bf16* tiles) {
  for (Index k = 0; k < terms; k += kTileTerms)
    for (Index j = 0; j < columns; j += kTileEdge, tiles += Parts * kTileSize)
      for (Index pair = 0; pair < kTileEdge; ++pair) {
        const Index term = k + 2 * pair;
        const float* at = from + std::min(term, terms - 1) * row + j;
        const float* next = from + std::min(term + 1, terms - 1) * row + j;
        pack_pairs<Parts>(load_some(at, term < terms ? columns - j : 0),
                          load_some(next, term + 1 < terms ? columns - j : 0), tiles + pair * kTileTerms);
      }
}

FOVEA_TARGET void pack_rows(int parts, Index columns, Index terms, const float* from, Index row, Bf16* tiles) {
  if (parts == 2)
    pack_row_parts<2>(columns, terms, from, row, tiles);
  else
    pack_row_parts<3>(columns, terms, from, row, tiles);
}

/// One pair of parts of 32 terms of a block of R x C tiles. The tiles of the pair before are still there.
template <typename Unit, int Parts, int R, int C, std::size_t Pair>
FOVEA_INLINE inline void multiply_pair(Unit& unit, const Bf16* a, Index a_edge, const Bf16* b, Index b_edge) {
  constexpr PartPair pair = kProducts<Parts>[Pair], before = kProducts<Parts>[Pair == 0 ? 0 : Pair - 1];
  if constexpr (Pair == 0 || pair.left != before.left) {
    unit.template load_left<0>(a + pair.left * kTileSize);
    if constexpr (R == 2) unit.template load_left<1>(a + a_edge + pair.left * kTileSize);
  }
  if constexpr (Pair == 0 || pair.right != before.right) {
    unit.template load_right<0>(b + pair.right * kTileSize);
    if constexpr (C == 2) unit.template load_right<1>(b + b_edge + pair.right * kTileSize);
  }
  unit.template multiply<0, 0>();
  if constexpr (C == 2) unit.template multiply<0, 1>();
  if constexpr (R == 2) unit.template multiply<1, 0>();
  if constexpr (R == 2 && C == 2) unit.template multiply<1, 1>();
  if constexpr (Pair + 1 < std::size(kProducts<Parts>))
    multiply_pair<Unit, Parts, R, C, Pair + 1>(unit, a, a_edge, b, b_edge);
}

template <typename Unit, int I, int J>
FOVEA_INLINE inline void begin_sums(Unit& unit, bool add, const float* c, Index c_row) {
  if (add)
    unit.template load_sums<I, J>(c + I * kTileEdge * c_row + J * kTileEdge, c_row);
  else
    unit.template zero<I, J>();
}

/// R x C tiles of C: their sums stay in the unit over all terms.
template <typename Unit, int Parts, int R, int C>
FOVEA_TARGET __attribute__((noinline)) void tile_block(Unit& unit, Index steps, Tiles a, Tiles b, bool add, float* c,
                                                       Index c_row) {
  begin_sums<Unit, 0, 0>(unit, add, c, c_row);
  if constexpr (C == 2) begin_sums<Unit, 0, 1>(unit, add, c, c_row);
  if constexpr (R == 2) begin_sums<Unit, 1, 0>(unit, add, c, c_row);
  if constexpr (R == 2 && C == 2) begin_sums<Unit, 1, 1>(unit, add, c, c_row);
  for (Index k = 0; k < steps; ++k)
    multiply_pair<Unit, Parts, R, C, 0>(unit, a.data + k * a.step, a.edge, b.data + k * b.step, b.edge);
  unit.template store_sums<0, 0>(c, c_row);
  if constexpr (C == 2) unit.template store_sums<0, 1>(c + kTileEdge, c_row);
  if constexpr (R == 2) unit.template store_sums<1, 0>(c + kTileEdge * c_row, c_row);
  if constexpr (R == 2 && C == 2) unit.template store_sums<1, 1>(c + kTileEdge * c_row + kTileEdge, c_row);
}

template <typename Unit, int Parts, int R>
FOVEA_INLINE inline void tile_rows(Unit& unit, Index columns, Index steps, Tiles a, Tiles b, bool add, float* c,
                                   Index c_row) {
  for (Index j = 0; j < columns; j += 2, b.data += 2 * b.edge)
    if (j + 1 < columns)
      tile_block<Unit, Parts, R, 2>(unit, steps, a, b, add, c + j * kTileEdge, c_row);
    else
      tile_block<Unit, Parts, R, 1>(unit, steps, a, b, add, c + j * kTileEdge, c_row);
}

template <typename Unit, int Parts>
FOVEA_INLINE inline void all_tiles(Index rows, Index columns, Index steps, Tiles a, Tiles b, bool add, float* c,
                                   Index c_row) {
  Unit unit;
  for (Index i = 0; i < rows; i += 2, a.data += 2 * a.edge)
    if (i + 1 < rows)
      tile_rows<Unit, Parts, 2>(unit, columns, steps, a, b, add, c + i * kTileEdge * c_row, c_row);
    else
      tile_rows<Unit, Parts, 1>(unit, columns, steps, a, b, add, c + i * kTileEdge * c_row, c_row);
}

template <typename Unit>
FOVEA_TARGET void product(int parts, Index rows, Index columns, Index terms, Tiles a, Tiles b, bool add, float* c,
                          Index c_row) {
  const Index row_tiles = whole_tiles(rows, kTileEdge), column_tiles = whole_tiles(columns, kTileEdge),
              steps = whole_tiles(terms, kTileTerms);
  if (parts == 2)
    all_tiles<Unit, 2>(row_tiles, column_tiles, steps, a, b, add, c, c_row);
  else
    all_tiles<Unit, 3>(row_tiles, column_tiles, steps, a, b, add, c, c_row);
}

FOVEA_TARGET bool scale(Index rows, Index columns, float factor, float* c, Index c_row) {
  SignedWords largest = {};
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; j += kVector) {
      float* at = c + i * c_row + j;
      Numbers x;
      std::memcpy(&x, at, sizeof x);
      x = x * factor;
      const SignedWords size = reinterpret_cast<SignedWords>(reinterpret_cast<Words>(x) & ~kSign);
      largest = size > largest ? size : largest;
      std::memcpy(at, &x, sizeof x);
    }
  bool all = true;
  for (int k = 0; k < kVector; ++k) all = all && largest[k] < kInfinity;
  return all;
}

template <typename Unit>
const SplitKernels* split_table() {
  static constexpr SplitKernels table{&pack_left<false>, &pack_left<true>, &pack_columns,
                                      &pack_rows,        &product<Unit>,   &scale};
  return &table;
}

}  // namespace
}  // namespace fovea
