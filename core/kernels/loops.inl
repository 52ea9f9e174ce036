// The loops of kernels.hpp for one instruction set. The including file defines
//   FOVEA_TARGET         the function attribute that selects the instruction set (may be empty)
//   FOVEA_VECTOR_BYTES   the width of its registers
// and calls table<Real>() for the result. Everything here has internal linkage, because the same names stand for
// different machine code in each including file.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#include "fovea/core/kernels/kernels.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
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

#define FOVEA_LAMBDA __attribute__((always_inline)) FOVEA_TARGET

#include "fovea/core/kernels/columns.inl"

#include "fovea/core/kernels/softmax.inl"

#include "fovea/core/kernels/blocks.inl"

template <typename Real>
FOVEA_TARGET Real exponentials(const Real* x, Index count, Real shift, Real* y) {
  using V = typename Lane<Real>::V;
  return sum_of<Real>(count, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
    const V e = lane_exp<Real>(load<Real>(x + j, some, -std::numeric_limits<Real>::infinity()) - shift);
    store<Real>(y + j, some, e);
    sum += e;
  });
}

template <typename Real>
FOVEA_TARGET void logarithms(Real* x, Index count) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(x + j, some, lane_log<Real>(load<Real>(x + j, some, Real(1))));
  });
}

template <typename Real>
FOVEA_TARGET Real maximum(const Real* x, Index count) {
  using V = typename Lane<Real>::V;
  constexpr Real kLeast = -std::numeric_limits<Real>::infinity();
  V largest = broadcast<Real>(kLeast), poison = V{};
  each_vector<Real>(count, [&](Index j, auto some) FOVEA_LAMBDA {
    const V a = load<Real>(x + j, some, kLeast);
    largest = larger<Real>(a, largest);
    poison = a != a ? a : poison;
  });
  Real result = kLeast;
  for (Index i = 0; i < Lane<Real>::kWidth; ++i) {
    if (poison[i] != poison[i]) return poison[i];
    if (largest[i] > result) result = largest[i];
  }
  return result;
}

template <typename Real>
FOVEA_TARGET void scale(Real* x, Index count, Real factor) {
  using V = typename Lane<Real>::V;
  const V masked = broadcast<Real>(-std::numeric_limits<Real>::infinity());
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    const V a = load<Real>(x + j, some, Real(0));
    store<Real>(x + j, some, a == masked ? masked : finite<Real>(a * factor));
  });
}

template <typename Real>
FOVEA_TARGET Real dot(const Real* a, const Real* b, Index count) {
  using V = typename Lane<Real>::V;
  return sum_of<Real>(count, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
    sum += load<Real>(a + j, some, Real(0)) * load<Real>(b + j, some, Real(0));
  });
}

template <typename Real>
FOVEA_TARGET Real unmasked_dot(const Real* a, const Real* s, Index count) {
  using V = typename Lane<Real>::V;
  const V masked = broadcast<Real>(-std::numeric_limits<Real>::infinity());
  return sum_of<Real>(count, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
    const V score = load<Real>(s + j, some, Real(0));
    const V product = load<Real>(a + j, some, Real(0)) * score;
    sum += score == masked ? V{} : product;
  });
}

template <typename Real>
FOVEA_TARGET void add_scaled(Real* y, const Real* x, Real factor, Index count) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(y + j, some, load<Real>(y + j, some, Real(0)) + load<Real>(x + j, some, Real(0)) * factor);
  });
}

template <typename Real>
FOVEA_TARGET void products(const Real* x, const Real* panel, Index stride, Index dimension, Index count, Real factor,
                           Real* y) {
  using V = typename Lane<Real>::V;
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    V sum = {};
    for (Index c = 0; c < dimension; ++c) sum += load<Real>(panel + c * stride + j, some, Real(0)) * x[c];
    store<Real>(y + j, some, finite<Real>(sum * factor));
  });
}

template <typename Real>
FOVEA_TARGET void squared_distances(const Real* x, const Real* panel, Index stride, Index dimension, Index count,
                                    Real factor, Real* y) {
  using V = typename Lane<Real>::V;
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    V sum = {};
    for (Index c = 0; c < dimension; ++c) {
      const V difference = load<Real>(panel + c * stride + j, some, Real(0)) - x[c];
      sum += difference * difference;
    }
    store<Real>(y + j, some, finite<Real>(sum * factor));
  });
}

template <typename Real>
FOVEA_TARGET Real difference_dot(const Real* g, const Real* k, Real x, Index count) {
  using V = typename Lane<Real>::V;
  return sum_of<Real>(count, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
    sum += load<Real>(g + j, some, Real(0)) * (load<Real>(k + j, some, Real(0)) - x);
  });
}

template <typename Real>
FOVEA_TARGET void add_differences(Real* y, const Real* g, const Real* k, Real x, Index count) {
  using V = typename Lane<Real>::V;
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    const V difference = x - load<Real>(k + j, some, Real(0));
    store<Real>(y + j, some, load<Real>(y + j, some, Real(0)) + load<Real>(g + j, some, Real(0)) * difference);
  });
}

template <typename Real>
FOVEA_TARGET void softmax_gradient(Real* g, const Real* w, Real mean, Index count) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(g + j, some, load<Real>(w + j, some, Real(0)) * (load<Real>(g + j, some, Real(0)) - mean));
  });
}

template <typename Real>
FOVEA_TARGET void divide_above(Real* g, const Real* x, Real floor, Index count) {
  using V = typename Lane<Real>::V;
  const V least = broadcast<Real>(floor);
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    const V divisor = load<Real>(x + j, some, Real(1));
    const V quotient = load<Real>(g + j, some, Real(0)) / divisor;
    store<Real>(g + j, some, divisor > least ? quotient : V{});
  });
}

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V age(const Real* t, Index count, Real time) {
  const typename Lane<Real>::V elapsed = time - load<Real>(t, count, Real(0));
  return elapsed < Real(0) ? -elapsed : elapsed;
}

template <typename Real>
FOVEA_TARGET void subtract_age(Real* s, const Real* t, Real time, Real rate, Index count) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(s + j, some, load<Real>(s + j, some, Real(0)) - age<Real>(t + j, some, time) * rate);
  });
}

template <typename Real>
FOVEA_TARGET Real age_dot(const Real* g, const Real* t, Real time, Index count) {
  using V = typename Lane<Real>::V;
  return sum_of<Real>(count, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
    sum += load<Real>(g + j, some, Real(0)) * age<Real>(t + j, some, time);
  });
}

template <typename Real>
constexpr Kernels<Real> kTable{&exponentials<Real>,
                               &logarithms<Real>,
                               &maximum<Real>,
                               &scale<Real>,
                               &dot<Real>,
                               &unmasked_dot<Real>,
                               &add_scaled<Real>,
                               &products<Real>,
                               &squared_distances<Real>,
                               &difference_dot<Real>,
                               &add_differences<Real>,
                               &softmax_gradient<Real>,
                               &divide_above<Real>,
                               &subtract_age<Real>,
                               &age_dot<Real>,
                               kBlocks<Real>};

}  // namespace
}  // namespace fovea
