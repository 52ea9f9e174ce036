// The loops of map_kernels.hpp for one instruction set: the including file defines FOVEA_TARGET and FOVEA_VECTOR_BYTES
// and takes kMapTable. Everything has internal linkage.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
#pragma GCC diagnostic ignored "-Wunused-function"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 says so of its own header's undefined vectors
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fovea::fusion::maps {
namespace {

#include "fovea/core/kernels/lanes.inl"

using MapLane = Lane<float>;
using MapV = MapLane::V;
constexpr Whole<float> kAllOf{};

FOVEA_INLINE inline MapV at(const float* from) { return load<float>(from, kAllOf, 0.0F); }
FOVEA_INLINE inline void put(float* to, MapV x) { store<float>(to, kAllOf, x); }

FOVEA_TARGET void add_rows(const float* a, const float* b, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth) put(y + j, at(a + j) + at(b + j));
}

FOVEA_TARGET void flags_row(const std::uint8_t* x, Index count, float* y) {
  for (Index j = 0; j < count; ++j) y[j] = x[j] != 0 ? 1.0F : 0.0F;
}

/// Numbers of a row that may end before a register does.
FOVEA_INLINE inline MapV some_at(const float* from, Index left) {
  return left >= MapLane::kWidth ? at(from) : load_some<float>(from, left, 0.0F);
}

FOVEA_TARGET void scaled_row(const float* x, const float* valid, float divisor, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth)
    put(y + j, at(valid + j) != 0.0F ? some_at(x + j, count - j) / divisor : MapV{});
}

FOVEA_TARGET void difference_row(const float* a, const float* b, const float* valid, float floor, Index count,
                                 float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth) {
    const MapV one = some_at(a + j, count - j), two = some_at(b + j, count - j);
    const MapV off = one - two;
    const MapV share = floor == 0 ? off : off / larger<float>(one + two, broadcast<float>(floor));
    put(y + j, at(valid + j) != 0.0F ? share : MapV{});
  }
}

// x Phi(x) - x / 2 = |x| / 2 erf(|x| / sqrt 2) is a function of x^2. It is interpolated at Chebyshev nodes of x^2 below
// kFar^2, beyond which it is |x| / 2.
constexpr float kGeluFar = 5.1F;
constexpr float kGeluSeries[] = {1.802561760e+00F,  9.051727057e-01F, -2.369565368e-01F, 1.374345571e-01F,
                                 -1.105567738e-01F, 9.975770861e-02F, -8.529136330e-02F, 7.207689434e-02F,
                                 -6.695697457e-02F, 4.497668147e-02F, -1.093185600e-02F, 7.645607460e-03F,
                                 -1.686820574e-02F, 7.935320027e-03F};

FOVEA_INLINE inline MapV gelu_of(MapV value) {
  constexpr float kSquare = kGeluFar * kGeluFar;
  const MapV half = value * 0.5F, size = half < 0.0F ? -half : half;
  const MapV near = smaller<float>(broadcast<float>(kSquare), value * value);
  const MapV t = multiply_add<float>(near, broadcast<float>(2 / kSquare), broadcast<float>(-1)), square = t * t;
  MapV evens = broadcast<float>(kGeluSeries[12]), odds = broadcast<float>(kGeluSeries[13]);
#pragma GCC unroll 8
  for (int k = 10; k >= 0; k -= 2) evens = multiply_add<float>(evens, square, broadcast<float>(kGeluSeries[k]));
#pragma GCC unroll 8
  for (int k = 11; k >= 1; k -= 2) odds = multiply_add<float>(odds, square, broadcast<float>(kGeluSeries[k]));
  const MapV even = multiply_add<float>(odds, t, evens);
  return half + (size > kGeluFar / 2 ? size : even);
}

FOVEA_TARGET void gelu_row(const float* x, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth) put(y + j, gelu_of(at(x + j)));
}

FOVEA_TARGET void gelu_of_sum_row(const float* a, const float* b, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth) put(y + j, gelu_of(at(a + j) + at(b + j)));
}

FOVEA_TARGET void quotient_row(const float* sums, const float* counts, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth)
    put(y + j, at(sums + j) / larger<float>(at(counts + j), broadcast<float>(1)));
}

#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
/// Entries of a table of 128.
FOVEA_INLINE inline MapV looked_up(const float* table, __m512i place, __mmask16 third, __mmask16 upper) {
  const __m512 low = _mm512_permutex2var_ps(_mm512_load_ps(table), place, _mm512_load_ps(table + 16)),
               next = _mm512_permutex2var_ps(_mm512_load_ps(table + 32), place, _mm512_load_ps(table + 48)),
               high = _mm512_permutex2var_ps(_mm512_load_ps(table + 64), place, _mm512_load_ps(table + 80)),
               last = _mm512_permutex2var_ps(_mm512_load_ps(table + 96), place, _mm512_load_ps(table + 112));
  return _mm512_mask_blend_ps(upper, _mm512_mask_blend_ps(third, low, next), _mm512_mask_blend_ps(third, high, last));
}

FOVEA_INLINE inline __m512i one_more(__m512i number, __m512 threshold, __m512 x) {
  return _mm512_mask_add_epi32(number, _mm512_cmp_ps_mask(threshold, x, _CMP_LE_OQ), number, _mm512_set1_epi32(1));
}

FOVEA_TARGET void pieces_row(const PieceTable& table, const float* x, Index count, float* y) {
  for (Index j = 0; j < count; j += MapLane::kWidth) {
    const __m512 value = _mm512_loadu_ps(x + j);
    __m512i place = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int k = 0; k < 7; ++k) place = one_more(place, _mm512_set1_ps(table.sixteenths[k]), value);
    __m512i next = _mm512_slli_epi32(place, 2);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k)
      next = one_more(next, _mm512_permutexvar_ps(place, _mm512_load_ps(table.fourths[k])), value);
    place = _mm512_slli_epi32(next, 2);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k)
      place = one_more(place,
                       _mm512_permutex2var_ps(_mm512_load_ps(table.ones[k]), next, _mm512_load_ps(table.ones[k] + 16)),
                       value);
    const __mmask16 third = _mm512_test_epi32_mask(place, _mm512_set1_epi32(32)),
                    upper = _mm512_test_epi32_mask(place, _mm512_set1_epi32(64));
    const MapV base = looked_up(table.base, place, third, upper), slope = looked_up(table.slope, place, third, upper),
               start = looked_up(table.start, place, third, upper);
    put(y + j, start + slope * (reinterpret_cast<MapV>(value) - base));
  }
}
#else
FOVEA_TARGET void pieces_row(const PieceTable& table, const float* x, Index count, float* y) {
  for (Index j = 0; j < count; ++j) {
    const float value = x[j];
    Index place = 0;
    for (Index half = PieceTable::kMost / 2; half > 0; half /= 2)
      place += table.thresholds[place + half - 1] <= value ? half : 0;
    y[j] = table.start[place] + table.slope[place] * (value - table.base[place]);
  }
}
#endif

/// exp(x - largest) of a column of C, and their sum.
FOVEA_INLINE inline MapV weights_of(const float* x, Index classes, Index stride, float factor, float* to) {
  MapV top = at(x);
  for (Index c = 1; c < classes; ++c) top = larger<float>(at(x + c * stride), top);
  MapV sum{};
  for (Index c = 0; c < classes; ++c) {
    const MapV weight = lane_exp<float>((at(x + c * stride) - top) * factor);
    put(to + c * stride, weight);
    sum += weight;
  }
  return sum;
}

/// -sum_c p_c ln(p_c + 1e-6), p = softmax(x)
FOVEA_INLINE inline MapV entropy_of(const float* x, Index classes, Index stride, float* work) {
  constexpr float kLeast = 1e-6F;  // as in model/arbiter.cpp
  const MapV inverse = 1.0F / weights_of(x, classes, stride, 1.0F, work);
  MapV sum{};
  for (Index c = 0; c < classes; ++c) {
    const MapV p = at(work + c * stride) * inverse;
    sum += p * lane_log<float>(p + kLeast);
  }
  return -sum;
}

FOVEA_TARGET void arbitrate_row(const Sayings& said, Index classes, Index count, Index stride, float* work,
                                float* trust, float* mixed) {
  for (Index j = 0; j < count; j += MapLane::kWidth) {
    const MapV first_valid = at(said.valid[0] + j), second_valid = at(said.valid[1] + j);
    const MapV first = entropy_of(said.alone[0] + j, classes, stride, work + j) * -said.sharpness,
               second = entropy_of(said.alone[1] + j, classes, stride, work + j) * -said.sharpness;
    const MapV top = larger<float>(first, second);
    const MapV one = first_valid != 0.0F ? lane_exp<float>(first - top) : MapV{},
               two = second_valid != 0.0F ? lane_exp<float>(second - top) : MapV{};
    const MapV sum = one + two;
    // One of the two is 1 where both are there; alone a sensor has all.
    const MapV share = second_valid != 0.0F ? one / sum : first_valid,
               rest = first_valid != 0.0F ? two / sum : second_valid;
    put(trust + j, share), put(trust + stride + j, rest);
    for (Index c = 0; c < classes; ++c) {
      const Index here = c * stride + j;
      const MapV told = second_valid != 0.0F ? at(said.informed[0] + here) : at(said.alone[0] + here),
                 other = first_valid != 0.0F ? at(said.informed[1] + here) : at(said.alone[1] + here);
      put(mixed + here, (first_valid != 0.0F ? share * told : MapV{}) + (second_valid != 0.0F ? rest * other : MapV{}));
    }
  }
}

FOVEA_TARGET void softmax_row(float* x, Index classes, Index count, Index stride, float inverse_temperature) {
  for (Index j = 0; j < count; j += MapLane::kWidth) {
    const MapV inverse = 1.0F / weights_of(x + j, classes, stride, inverse_temperature, x + j);
    for (Index c = 0; c < classes; ++c) put(x + c * stride + j, at(x + c * stride + j) * inverse);
  }
}

FOVEA_TARGET void rounded_row(float* x, Index count) {
  constexpr std::uint32_t kDropped = 11, kHalf = (1U << (kDropped - 1)) - 1, kKept = ~((1U << kDropped) - 1);
  for (Index j = 0; j < count; ++j) {
    std::uint32_t bits;
    std::memcpy(&bits, x + j, sizeof bits);
    const std::uint32_t near = (bits + kHalf + ((bits >> kDropped) & 1U)) & kKept;
    bits = (bits & 0x7FFFFFFFU) > 0x7F800000U ? bits : near;  // NaN stays
    std::memcpy(x + j, &bits, sizeof bits);
  }
}

FOVEA_TARGET void together_row(const float* members, Index number, Index classes, Index count, Index stride,
                               float* mean, float* likeliest, float* spread, float* entropy) {
  const Index step = classes * stride;
  const float share = 1.0F / static_cast<float>(number),
              rest = 1.0F / static_cast<float>(std::max<Index>(number - 1, 1));
  for (Index j = 0; j < count; j += MapLane::kWidth) {
    MapV best{}, which{}, deviation{}, doubt{};
    for (Index c = 0; c < classes; ++c) {
      const float* const from = members + c * stride + j;
      MapV sum = at(from), squares{};
      for (Index m = 1; m < number; ++m) sum += at(from + m * step);
      const MapV p = sum * share;
      for (Index m = 0; m < number; ++m) {
        const MapV off = at(from + m * step) - p;
        squares += off * off;
      }
      put(mean + c * stride + j, p);
      doubt += p * lane_log<float>(larger<float>(p, broadcast<float>(1e-30F)));
      deviation = p > best ? squares : deviation;
      which = p > best ? broadcast<float>(static_cast<float>(c)) : which;
      best = p > best ? p : best;
    }
    put(likeliest + j, which), put(entropy + j, -doubt);
    for (Index k = 0; k < MapLane::kWidth; ++k) spread[j + k] = __builtin_sqrtf(deviation[k] * rest);
  }
}

constexpr MapKernels kMapTable{&flags_row,     &gelu_row,       &gelu_of_sum_row, &add_rows,
                               &scaled_row,    &difference_row, &quotient_row,    &pieces_row,
                               &arbitrate_row, &softmax_row,    &rounded_row,     &together_row};

}  // namespace
}  // namespace fovea::fusion::maps
