// The loops of line_kernels.hpp for one instruction set; FOVEA_TARGET and FOVEA_VECTOR_BYTES as in loops.inl. A row of
// eight numbers is kParts vectors; every sum over it ends in the tree of fold(), whatever the width of the registers.

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

namespace fovea {
namespace {

#include "fovea/core/kernels/lanes.inl"

using LineLane = Lane<double>;
using LineV = LineLane::V;
constexpr Index kEight = LineLane::kLanes;  // of a row of terms, and points that are handled together
constexpr Index kEights = kLineTerms / kEight;
constexpr Whole<double> kAll{};

/// Eight numbers.
struct Eight {
  LineV part[LineLane::kParts];
};

// Part by part: g++ copies a struct of several vectors in small pieces by way of the stack.
FOVEA_INLINE inline Eight load_eight(const double* from) {
  Eight x;
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) x.part[p] = load<double>(from + p * LineLane::kWidth, kAll, 0.0);
  return x;
}

FOVEA_INLINE inline void store_eight(double* to, const Eight& x) {
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) store<double>(to + p * LineLane::kWidth, kAll, x.part[p]);
}

/// c + a b, number by number.
FOVEA_INLINE inline Eight add_product(const Eight& a, LineV b, const Eight& c) {
  Eight y;
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) y.part[p] = multiply_add<double>(a.part[p], b, c.part[p]);
  return y;
}

FOVEA_INLINE inline Eight sum_of(const Eight& a, const Eight& b) {
  Eight y;
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) y.part[p] = a.part[p] + b.part[p];
  return y;
}

FOVEA_INLINE inline Eight times(const Eight& a, LineV b) {
  Eight y;
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) y.part[p] = a.part[p] * b;
  return y;
}

/// 1, t, .., t^7 from the powers t, t^2, t^4, each the same product on every machine; and t^8.
struct LinePowers {
  Eight low;
  LineV eighth;
};

FOVEA_INLINE inline LineV one_or(LineV x, std::int64_t bit) {
  LineLane::I chosen;
#pragma GCC unroll 8
  for (int i = 0; i < static_cast<int>(LineLane::kWidth); ++i) chosen[i] = (i & bit) ? -1 : 0;
  return chosen ? x : broadcast<double>(1);
}

/// Where eight points are: in which box, and the first powers of t.
struct EightPlaces {
  alignas(kLaneBytes) double t[kEight];
  alignas(kLaneBytes) double square[kEight];
  alignas(kLaneBytes) double fourth[kEight];
  alignas(kLaneBytes) double eighth[kEight];
  alignas(kLaneBytes) std::int64_t box[kEight];
};

FOVEA_INLINE inline LinePowers powers_of(const EightPlaces& places, Index i) {
  const LineV t1 = broadcast<double>(places.t[i]), t2 = broadcast<double>(places.square[i]),
              t4 = broadcast<double>(places.fourth[i]);
  LinePowers y;
#if FOVEA_VECTOR_BYTES == 64
  y.low.part[0] = (one_or(t1, 1) * one_or(t2, 2)) * one_or(t4, 4);
#elif FOVEA_VECTOR_BYTES == 32
  y.low.part[0] = one_or(t1, 1) * one_or(t2, 2);
  y.low.part[1] = y.low.part[0] * t4;
#else
  y.low.part[0] = one_or(t1, 1);
  y.low.part[1] = y.low.part[0] * t2;
  y.low.part[2] = y.low.part[0] * t4;
  y.low.part[3] = y.low.part[1] * t4;
#endif
  y.eighth = broadcast<double>(places.eighth[i]);
  return y;
}

FOVEA_INLINE inline void places_of(const BoxRow& boxes, const double* x, Index count, EightPlaces& places) {
  constexpr double kRound = 0x1.8p52;  // q + kRound ends in the whole number next to q
  const LineV lowest = broadcast<double>(boxes.first),
              highest = broadcast<double>(boxes.first + static_cast<double>(boxes.count - 1));
  const double half = boxes.inverse * 2;
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) {
    const Index j = p * LineLane::kWidth;
    if (j >= count) break;
    const LineV at = load<double>(x + j, std::min<Index>(count - j, LineLane::kWidth), x[0]);
    const LineV q = smaller<double>(highest, larger<double>(lowest, at * boxes.inverse));
    const LineV rounded = q + kRound, k = rounded - kRound;
    const LineV t = multiply_add<double>(-k, broadcast<double>(boxes.width), at) * half, square = t * t,
                fourth = square * square;
    const LineLane::I box = reinterpret_cast<LineLane::I>(k - boxes.first + kRound) -
                            reinterpret_cast<LineLane::I>(broadcast<double>(kRound));
    store<double>(places.t + j, kAll, t);
    store<double>(places.square + j, kAll, square);
    store<double>(places.fourth + j, kAll, fourth);
    store<double>(places.eighth + j, kAll, fourth * fourth);
    std::memcpy(places.box + j, &box, sizeof box);
  }
}

template <bool kStrengths>
FOVEA_INLINE inline void add_moments_of(const BoxRow& boxes, const double* y, const double* v, const double* g,
                                        Index count, double* moments, double* references) {
  EightPlaces places;
  for (Index from = 0; from < count; from += kEight) {
    const Index some = std::min(count - from, kEight);
    places_of(boxes, y + from, some, places);
    for (Index i = 0; i < some; ++i) {
      const LinePowers t = powers_of(places, i);
      const Eight high = times(t.low, t.eighth);
      double* box = moments + places.box[i] * kBoxSize;
      double& reference = references[places.box[i]];
      if (box[0] == 0) reference = v[from + i];
      const double value = v[from + i] - reference;
      const LineV gs = broadcast<double>(kStrengths ? g[from + i] : 1),
                  hs = broadcast<double>(kStrengths ? g[from + i] * value : value);
      // Where all strengths are 1 a sum will do: it has units of its own, beside those of the products.
      store_eight(box, kStrengths ? add_product(t.low, gs, load_eight(box)) : sum_of(t.low, load_eight(box)));
      store_eight(box + kEight, kStrengths ? add_product(high, gs, load_eight(box + kEight))
                                           : sum_of(high, load_eight(box + kEight)));
      store_eight(box + kLineTerms, add_product(t.low, hs, load_eight(box + kLineTerms)));
      store_eight(box + kLineTerms + kEight, add_product(high, hs, load_eight(box + kLineTerms + kEight)));
    }
  }
}

FOVEA_TARGET void add_moments(const BoxRow& boxes, const double* y, const double* v, const double* g, Index count,
                              double* moments, double* references) {
  if (g)
    add_moments_of<true>(boxes, y, v, g, count, moments, references);
  else
    add_moments_of<false>(boxes, y, v, g, count, moments, references);
}

/// Eight numbers of each of the rows of Boxes boxes that lie side by side.
template <Index Boxes>
FOVEA_INLINE inline void translate_rows(const double* matrices, Index offsets, const double* moments, double* fields) {
  Eight sums[Boxes][2];
  for (Index b = 0; b < Boxes; ++b)
    for (Index r = 0; r < 2; ++r) sums[b][r] = load_eight(fields + b * kBoxSize + r * kLineTerms);
  for (Index d = 0; d < offsets; ++d, moments += kBoxSize, matrices += kLineTerms * kLineTerms) {
    bool empty = true;
    for (Index b = 0; b < Boxes; ++b) empty &= moments[b * kBoxSize] == 0;
    if (empty) continue;
    for (Index l = 0; l < kLineTerms; ++l) {
      const Eight column = load_eight(matrices + l * kLineTerms);
#pragma GCC unroll 4
      for (Index b = 0; b < Boxes; ++b)
#pragma GCC unroll 2
        for (Index r = 0; r < 2; ++r)
          sums[b][r] = add_product(column, broadcast<double>(moments[b * kBoxSize + r * kLineTerms + l]), sums[b][r]);
    }
  }
  for (Index b = 0; b < Boxes; ++b)
    for (Index r = 0; r < 2; ++r) store_eight(fields + b * kBoxSize + r * kLineTerms, sums[b][r]);
}

FOVEA_TARGET void translate(const double* matrices, Index offsets, const double* moments, double* fields) {
  constexpr Index kBoxes = LineLane::kParts == 1 ? 4 : LineLane::kParts == 2 ? 2 : 1;  // as many as registers hold
  for (Index b = 0; b < kBoxesTogether; b += kBoxes)
    for (Index e = 0; e < kEights; ++e)
      translate_rows<kBoxes>(matrices + e * kEight, offsets, moments + b * kBoxSize,
                             fields + b * kBoxSize + e * kEight);
}

#define FOVEA_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/// The sum of each of eight rows of eight, in the tree of fold(): halves, then halves of these.
FOVEA_INLINE inline Eight sums_of_rows(const Eight (&rows)[kEight]) {
  Eight y;
#if FOVEA_VECTOR_BYTES == 64
  LineV four[4], two[2];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const LineV a = rows[2 * i].part[0], b = rows[2 * i + 1].part[0];
    four[i] = FOVEA_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + FOVEA_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const LineV a = four[2 * i], b = four[2 * i + 1];
    two[i] = FOVEA_SHUFFLE(a, b, 0, 1, 4, 5, 8, 9, 12, 13) + FOVEA_SHUFFLE(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  }
  y.part[0] = FOVEA_SHUFFLE(two[0], two[1], 0, 2, 4, 6, 8, 10, 12, 14) +
              FOVEA_SHUFFLE(two[0], two[1], 1, 3, 5, 7, 9, 11, 13, 15);
#elif FOVEA_VECTOR_BYTES == 32
#pragma GCC unroll 2
  for (int p = 0; p < 2; ++p) {
    LineV two[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const Eight &first = rows[4 * p + 2 * i], &second = rows[4 * p + 2 * i + 1];
      const LineV a = first.part[0] + first.part[1], b = second.part[0] + second.part[1];
      two[i] = FOVEA_SHUFFLE(a, b, 0, 1, 4, 5) + FOVEA_SHUFFLE(a, b, 2, 3, 6, 7);
    }
    y.part[p] = FOVEA_SHUFFLE(two[0], two[1], 0, 2, 4, 6) + FOVEA_SHUFFLE(two[0], two[1], 1, 3, 5, 7);
  }
#else
  for (int i = 0; i < static_cast<int>(kEight); ++i) {
    const LineV sum = (rows[i].part[0] + rows[i].part[2]) + (rows[i].part[1] + rows[i].part[3]);
    y.part[i / 2][i % 2] = sum[0] + sum[1];
  }
#endif
  return y;
}

/// Eight numbers whose sum is the polynomial with these terms.
FOVEA_INLINE inline Eight polynomial(const LinePowers& t, const double* terms) {
  Eight y = add_product(load_eight(terms + kEight), t.eighth, load_eight(terms));
#pragma GCC unroll 4
  for (Index p = 0; p < LineLane::kParts; ++p) y.part[p] *= t.low.part[p];
  return y;
}

/// Both polynomials at eight places.
FOVEA_INLINE inline void evaluate_eight(const EightPlaces& places, const double* fields, Eight& first, Eight& second) {
  Eight firsts[kEight], seconds[kEight];
#pragma GCC unroll 8
  for (Index i = 0; i < kEight; ++i) {
    const LinePowers t = powers_of(places, i);
    const double* box = fields + places.box[i] * kBoxSize;
    firsts[i] = polynomial(t, box);
    seconds[i] = polynomial(t, box + kLineTerms);
  }
  first = sums_of_rows(firsts);
  second = sums_of_rows(seconds);
}

FOVEA_TARGET Index evaluate(const BoxRow& boxes, const double* fields, const double* least, const double* x,
                            Index count, double* first, double* second, std::uint32_t* below) {
  EightPlaces places{};
  Index found = 0;
  for (Index from = 0; from < count; from += kEight) {
    const Index some = std::min(count - from, kEight);
    places_of(boxes, x + from, some, places);
    Eight firsts, seconds;
    evaluate_eight(places, fields, firsts, seconds);
    alignas(kLaneBytes) double sums[kEight], others[kEight];
    store_eight(sums, firsts);
    Index low = 0;
#pragma GCC unroll 8
    for (Index i = 0; i < kEight; ++i) low += sums[i] > least[places.box[i]] ? 0 : 1;
    if (low > 0)
      for (Index i = 0; i < some; ++i)
        if (!(sums[i] > least[places.box[i]])) below[found++] = static_cast<std::uint32_t>(from + i);
    if (!first) {
#pragma GCC unroll 4
      for (Index p = 0; p < LineLane::kParts; ++p) seconds.part[p] /= firsts.part[p];
    }
    if (some == kEight) {
      if (first) store_eight(first + from, firsts);
      store_eight(second + from, seconds);
      continue;
    }
    store_eight(others, seconds);
    if (first) std::copy_n(sums, some, first + from);
    std::copy_n(others, some, second + from);
  }
  return found;
}

FOVEA_TARGET void weigh_terms(const double* coefficients, const double* moments, double* sums) {
  for (Index r = 0; r < 2; ++r, moments += kLineTerms) {
    Eight row;
    for (Index p = 0; p < LineLane::kParts; ++p) {
      const Eight low = load_eight(coefficients), high = load_eight(coefficients + kEight),
                  low_moments = load_eight(moments), high_moments = load_eight(moments + kEight);
      row.part[p] = multiply_add<double>(low.part[p], low_moments.part[p], high.part[p] * high_moments.part[p]);
    }
    sums[r] = add_up<double>(row.part);
  }
}

FOVEA_TARGET bool range(const double* x, Index count, double* low, double* high) {
  LineV least = broadcast<double>(*low), most = broadcast<double>(*high), rest = {};
  each_vector<double>(
      count, [&](Index j, auto some) __attribute__((always_inline)) FOVEA_TARGET {
        const LineV a = load<double>(x + j, some, x[0]);
        least = smaller<double>(a, least);
        most = larger<double>(a, most);
        rest += a * 0.0;  // NaN for what is not finite
      });
  bool finite_all = true;
  for (Index i = 0; i < LineLane::kWidth; ++i) {
    *low = std::min(*low, least[i]);
    *high = std::max(*high, most[i]);
    finite_all &= rest[i] == 0;
  }
  return finite_all;
}

constexpr LineKernels kLineTable{&add_moments, &translate, &evaluate, &weigh_terms, &range};

}  // namespace
}  // namespace fovea
