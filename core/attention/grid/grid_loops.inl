// The loops of grid_kernels.hpp for one instruction set; FOVEA_TARGET and FOVEA_VECTOR_BYTES as in loops.inl. Points
// lie side by side in a register; no sum runs across one, but that of add_sums().

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

constexpr Index kMostOffsets = 5;                              // of a row of the window that are summed at once
constexpr Index kTogether = FOVEA_VECTOR_BYTES == 64 ? 4 : 2;  // registers of points: with the offsets, the registers

/// One of the log2(width) steps that turn a square of registers: registers i and i + kStep exchange every other group
/// of kStep numbers.
template <typename Real, Index kStep>
FOVEA_INLINE inline void exchange(typename Lane<Real>::V (&square)[Lane<Real>::kWidth]) {
  using L = Lane<Real>;
  constexpr Index kWidth = L::kWidth;
  typename L::I low, high;
#pragma GCC unroll 16
  for (Index j = 0; j < kWidth; ++j) {
    const bool first = (j & kStep) == 0;
    low[j] = static_cast<typename L::Bits>(first ? j : kWidth + j - kStep);
    high[j] = static_cast<typename L::Bits>(first ? j + kStep : kWidth + j);
  }
#pragma GCC unroll 16
  for (Index i = 0; i < kWidth; ++i) {
    if (i & kStep) continue;
    const typename L::V a = square[i], b = square[i + kStep];
    square[i] = __builtin_shuffle(a, b, low);
    square[i + kStep] = __builtin_shuffle(a, b, high);
  }
}

template <typename Real>
FOVEA_INLINE inline void turn(typename Lane<Real>::V (&square)[Lane<Real>::kWidth]) {
  constexpr Index kWidth = Lane<Real>::kWidth;
  if constexpr (kWidth >= 16) exchange<Real, 8>(square);
  if constexpr (kWidth >= 8) exchange<Real, 4>(square);
  if constexpr (kWidth >= 4) exchange<Real, 2>(square);
  exchange<Real, 1>(square);
}

template <typename Real>
FOVEA_TARGET void to_planes(const Real* rows, Index stride, Index count, Index columns, GridPlanes<Real> planes) {
  constexpr Index kWidth = Lane<Real>::kWidth;
  for (Index x = 0; x < count; x += kWidth)
    for (Index c = 0; c < columns; c += kWidth) {
      const Index points = std::min(kWidth, count - x), wide = std::min(kWidth, columns - c);
      typename Lane<Real>::V square[kWidth];
      if (points == kWidth && wide == kWidth) {
#pragma GCC unroll 16
        for (Index i = 0; i < kWidth; ++i) square[i] = load<Real>(rows + (x + i) * stride + c, Whole<Real>{}, 0);
      } else {
#pragma GCC unroll 16
        for (Index i = 0; i < kWidth; ++i)
          square[i] = i < points ? load_some<Real>(rows + (x + i) * stride + c, wide, 0) : typename Lane<Real>::V{};
      }
      turn<Real>(square);
#pragma GCC unroll 16
      for (Index i = 0; i < kWidth; ++i)
        if (i < wide) store<Real>(planes.data + (c + i) * planes.plane + x, Whole<Real>{}, square[i]);
    }
}

template <typename Real>
FOVEA_TARGET void from_planes(GridPlanes<const Real> planes, Index count, Index columns, Real factor, Real* rows,
                              Index stride) {
  constexpr Index kWidth = Lane<Real>::kWidth;
  const typename Lane<Real>::V by = broadcast<Real>(factor);
  for (Index x = 0; x < count; x += kWidth)
    for (Index c = 0; c < columns; c += kWidth) {
      const Index points = std::min(kWidth, count - x), wide = std::min(kWidth, columns - c);
      typename Lane<Real>::V square[kWidth];
#pragma GCC unroll 16
      for (Index i = 0; i < kWidth; ++i)
        square[i] = i < wide ? by * load<Real>(planes.data + (c + i) * planes.plane + x, Whole<Real>{}, 0)
                             : typename Lane<Real>::V{};
      turn<Real>(square);
      if (points == kWidth && wide == kWidth) {
#pragma GCC unroll 16
        for (Index i = 0; i < kWidth; ++i) store<Real>(rows + (x + i) * stride + c, Whole<Real>{}, square[i]);
      } else {
#pragma GCC unroll 16
        for (Index i = 0; i < kWidth; ++i)
          if (i < points) store_some<Real>(rows + (x + i) * stride + c, wide, square[i]);
      }
    }
}

/// kOffsets keys against kVectors registers of points.
template <typename Real, Index kOffsets, Index kVectors>
FOVEA_INLINE inline void product_block(Index columns, Index step, GridPlanes<const Real> a, GridPlanes<const Real> b,
                                       typename Lane<Real>::V (&sums)[kOffsets][kVectors]) {
  using L = Lane<Real>;
  for (Index c = 0; c < columns; ++c) {
    const Real* left = a.data + c * a.plane;
    const Real* right = b.data + c * b.plane;
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v) {
      const typename L::V x = load<Real>(left + v * L::kWidth, Whole<Real>{}, 0);
#pragma GCC unroll 8
      for (Index n = 0; n < kOffsets; ++n)
        sums[n][v] = multiply_add<Real>(x, load<Real>(right + v * L::kWidth + n * step, Whole<Real>{}, 0), sums[n][v]);
    }
  }
}

/// What becomes of a product.
template <typename Real>
struct Scoring {
  Real factor;
  const Real* bias;
  const Real* keep;
};

template <typename Real, Index kOffsets, Index kVectors>
FOVEA_INLINE inline void score_block(const GridRow& row, Index columns, GridPlanes<const Real> a,
                                     GridPlanes<const Real> b, const Scoring<Real>* scoring, GridPlanes<Real> to) {
  using L = Lane<Real>;
  typename L::V sums[kOffsets][kVectors] = {};
  product_block<Real, kOffsets, kVectors>(columns, row.step, a, b, sums);
#pragma GCC unroll 8
  for (Index n = 0; n < kOffsets; ++n)
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v) {
      typename L::V s = sums[n][v];
      if (scoring) {
        s = finite<Real>(s * broadcast<Real>(scoring->factor));
        if (scoring->bias) s += broadcast<Real>(scoring->bias[n]);
        const typename L::V keep = load<Real>(scoring->keep + v * L::kWidth + n * row.step, Whole<Real>{}, 0);
        s = keep == typename L::V{} ? broadcast<Real>(-std::numeric_limits<Real>::infinity()) : s;
      }
      store<Real>(to.data + n * to.plane + v * L::kWidth, Whole<Real>{}, s);
    }
}

template <typename Real, Index kOffsets>
FOVEA_INLINE inline void score_offsets(const GridRow& row, Index columns, GridPlanes<const Real> a,
                                       GridPlanes<const Real> b, const Scoring<Real>* scoring, GridPlanes<Real> to) {
  constexpr Index kWidth = Lane<Real>::kWidth;
  Scoring<Real> here = scoring ? *scoring : Scoring<Real>{};
  for (Index x = 0; x < row.count;) {
    const GridPlanes<const Real> left{a.data + x, a.plane}, right{b.data + x, b.plane};
    const GridPlanes<Real> target{to.data + x, to.plane};
    if (scoring) here.keep = scoring->keep + x;
    const Scoring<Real>* const its = scoring ? &here : nullptr;
    if (row.count - x > (kTogether - 1) * kWidth) {
      score_block<Real, kOffsets, kTogether>(row, columns, left, right, its, target);
      x += kTogether * kWidth;
    } else {
      score_block<Real, kOffsets, 1>(row, columns, left, right, its, target);
      x += kWidth;
    }
  }
}

/// Calls run(n, at) with an integral constant n <= kMostOffsets for stretches of `offsets` from `at` on.
template <typename Run>
FOVEA_INLINE inline void each_stretch(Index offsets, const Run& run) {
  for (Index at = 0; at < offsets; at += kMostOffsets) {
    switch (std::min(kMostOffsets, offsets - at)) {
      case 1:
        run(std::integral_constant<Index, 1>{}, at);
        break;
      case 2:
        run(std::integral_constant<Index, 2>{}, at);
        break;
      case 3:
        run(std::integral_constant<Index, 3>{}, at);
        break;
      case 4:
        run(std::integral_constant<Index, 4>{}, at);
        break;
      default:
        run(std::integral_constant<Index, 5>{}, at);
    }
  }
}

template <typename Real>
FOVEA_TARGET void products(const GridRow& row, Index columns, GridPlanes<const Real> a, GridPlanes<const Real> b,
                           GridPlanes<Real> to) {
  each_stretch(row.offsets, [&](auto offsets, Index at) FOVEA_FOLD {
    score_offsets<Real, offsets()>(row, columns, a, {b.data + at * row.step, b.plane}, nullptr,
                                   {to.data + at * to.plane, to.plane});
  });
}

template <typename Real>
FOVEA_TARGET void scores(const GridRow& row, Index columns, GridPlanes<const Real> a, GridPlanes<const Real> b,
                         Real factor, const Real* bias, const Real* keep, GridPlanes<Real> to) {
  each_stretch(row.offsets, [&](auto offsets, Index at) FOVEA_FOLD {
    const Scoring<Real> scoring{factor, bias ? bias + at : nullptr, keep + at * row.step};
    score_offsets<Real, offsets()>(row, columns, a, {b.data + at * row.step, b.plane}, &scoring,
                                   {to.data + at * to.plane, to.plane});
  });
}

template <typename Real, Index kOffsets>
FOVEA_INLINE inline void add_weighted_offsets(const GridRow& row, Index columns, GridPlanes<const Real> weights,
                                              GridPlanes<const Real> b, bool fresh, GridPlanes<Real> sums) {
  using L = Lane<Real>;
  for (Index x = 0; x < row.count; x += L::kWidth) {
    typename L::V w[kOffsets];
#pragma GCC unroll 8
    for (Index n = 0; n < kOffsets; ++n) w[n] = load<Real>(weights.data + n * weights.plane + x, Whole<Real>{}, 0);
#pragma GCC unroll 4
    for (Index c = 0; c < columns; ++c) {
      Real* const to = sums.data + c * sums.plane + x;
      const Real* const from = b.data + c * b.plane + x;
      typename L::V sum = fresh ? typename L::V{} : load<Real>(to, Whole<Real>{}, 0);
#pragma GCC unroll 8
      for (Index n = 0; n < kOffsets; ++n)
        sum = multiply_add<Real>(w[n], load<Real>(from + n * row.step, Whole<Real>{}, 0), sum);
      store<Real>(to, Whole<Real>{}, sum);
    }
  }
}

template <typename Real>
FOVEA_TARGET void add_weighted(const GridRow& row, Index columns, GridPlanes<const Real> weights,
                               GridPlanes<const Real> b, bool fresh, GridPlanes<Real> sums) {
  each_stretch(row.offsets, [&](auto offsets, Index at) FOVEA_FOLD {
    add_weighted_offsets<Real, offsets()>(row, columns, {weights.data + at * weights.plane, weights.plane},
                                          {b.data + at * row.step, b.plane}, fresh && at == 0, sums);
  });
}

template <typename Real>
FOVEA_TARGET void softmax(Index count, Index terms, GridPlanes<Real> s, Real* maximum, Real* sums) {
  using L = Lane<Real>;
  constexpr Real kLeast = -std::numeric_limits<Real>::infinity();
  for (Index x = 0; x < count; x += L::kWidth) {
    typename L::V top = broadcast<Real>(kLeast), sum = {};
    for (Index n = 0; n < terms; ++n) top = larger<Real>(load<Real>(s.data + n * s.plane + x, Whole<Real>{}, 0), top);
    store<Real>(maximum + x, Whole<Real>{}, top);
    const typename L::V shift = top == kLeast ? typename L::V{} : top;  // -inf less -inf is NaN
    for (Index n = 0; n < terms; ++n) {
      Real* const at = s.data + n * s.plane + x;
      const typename L::V e = lane_weight<Real>(load<Real>(at, Whole<Real>{}, 0) - shift);
      store<Real>(at, Whole<Real>{}, e);
      sum += e;
    }
    store<Real>(sums + x, Whole<Real>{}, sum);
  }
}

template <typename Real>
FOVEA_TARGET void divide(Index count, Index terms, GridPlanes<Real> planes, const Real* divisors) {
  using L = Lane<Real>;
  for (Index x = 0; x < count; x += L::kWidth) {
    const typename L::V by = load<Real>(divisors + x, Whole<Real>{}, 0);
    for (Index n = 0; n < terms; ++n) {
      Real* const at = planes.data + n * planes.plane + x;
      store<Real>(at, Whole<Real>{}, load<Real>(at, Whole<Real>{}, 0) / by + Real(0));  // + 0: no output is -0
    }
  }
}

template <typename Real>
FOVEA_TARGET void weigh(Index count, Index terms, const Real* maximum, const Real* inverse, GridPlanes<Real> s,
                        GridPlanes<Real> g) {
  using L = Lane<Real>;
  for (Index x = 0; x < count; x += L::kWidth) {
    const typename L::V top = load<Real>(maximum + x, Whole<Real>{}, 0);
    const typename L::V shift = top == -std::numeric_limits<Real>::infinity() ? typename L::V{} : top;
    const typename L::V by = load<Real>(inverse + x, Whole<Real>{}, 0);
    typename L::V mean = {};
    for (Index n = 0; n < terms; ++n) {
      Real* const at = s.data + n * s.plane + x;
      const typename L::V w = lane_weight<Real>(load<Real>(at, Whole<Real>{}, 0) - shift) * by;
      store<Real>(at, Whole<Real>{}, w);
      mean = multiply_add<Real>(w, load<Real>(g.data + n * g.plane + x, Whole<Real>{}, 0), mean);
    }
    for (Index n = 0; n < terms; ++n) {
      Real* const at = g.data + n * g.plane + x;
      const typename L::V w = load<Real>(s.data + n * s.plane + x, Whole<Real>{}, 0);
      const typename L::V slope = w * (load<Real>(at, Whole<Real>{}, 0) - mean);
      store<Real>(at, Whole<Real>{}, w == typename L::V{} ? w : slope);  // nothing reaches a masked pair
    }
  }
}

template <typename Real>
FOVEA_TARGET void add_sums(Index count, Index terms, GridPlanes<const Real> planes, Real* sums) {
  using L = Lane<Real>;
  for (Index n = 0; n < terms; ++n) {
    const Real* const x = planes.data + n * planes.plane;
    sums[n] += sum_of<Real>(
        count, [&](typename L::V& sum, Index j, auto some) FOVEA_FOLD { sum += load<Real>(x + j, some, 0); });
  }
}

template <typename Real>
constexpr GridKernels<Real> kGridTable{&to_planes<Real>, &from_planes<Real>,  &products<Real>,
                                       &scores<Real>,    &add_weighted<Real>, &softmax<Real>,
                                       &divide<Real>,    &weigh<Real>,        &add_sums<Real>};

}  // namespace
}  // namespace fovea
