// The loops of learning_kernels.hpp for one instruction set, like attention/kernels/loops.inl: the including file
// defines FOVEA_TARGET and FOVEA_VECTOR_BYTES and takes kLearningTable<Real>. Everything has internal linkage.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#include "fovea/core/learning/kernels/learning_kernels.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 says so of its own header's undefined vectors
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fovea::learning {
namespace {

#include "fovea/core/kernels/lanes.inl"

#define FOVEA_LAMBDA __attribute__((always_inline)) FOVEA_TARGET

#include "fovea/core/learning/kernels/dropout.inl"
#include "fovea/core/learning/kernels/pointwise.inl"

#include "fovea/core/learning/kernels/class_pooling.inl"
#include "fovea/core/learning/kernels/rows.inl"
#include "fovea/core/learning/kernels/turns.inl"

template <typename Real>
FOVEA_TARGET void combine(const Real* a, const Real* b, Real factor, Index count, Real* y) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(y + j, some, load<Real>(a + j, some, Real(0)) + load<Real>(b + j, some, Real(0)) * factor);
  });
}

template <typename Real>
FOVEA_TARGET void scale(const Real* x, Real factor, Real shift, Index count, Real* y) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    store<Real>(y + j, some, load<Real>(x + j, some, Real(0)) * factor + shift);
  });
}

template <typename Real>
FOVEA_TARGET void add_scaled(const Real* x, Real factor, Index count, bool add, Real* y) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    put<Real>(y + j, some, load<Real>(x + j, some, Real(0)) * factor, add);
  });
}

template <typename Real>
FOVEA_TARGET void multiply(const Real* a, const Real* b, Index count, bool add, Real* y) {
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    put<Real>(y + j, some, load<Real>(a + j, some, Real(0)) * load<Real>(b + j, some, Real(0)), add);
  });
}

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V square_root(typename Lane<Real>::V x) {
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
  if constexpr (sizeof(Real) == 8)
    return _mm512_sqrt_pd(x);
  else
    return _mm512_sqrt_ps(x);
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
  if constexpr (sizeof(Real) == 8)
    return _mm256_sqrt_pd(x);
  else
    return _mm256_sqrt_ps(x);
#else
  for (int i = 0; i < static_cast<int>(Lane<Real>::kWidth); ++i) x[i] = std::sqrt(x[i]);
  return x;
#endif
}

template <typename Real>
FOVEA_TARGET void adamw(Real* x, const Real* g, Real* m, Real* v, Index count, const AdamwStep<Real>& step) {
  using V = typename Lane<Real>::V;
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    const V slope = load<Real>(g + j, some, Real(0));
    const V mean = load<Real>(m + j, some, Real(0)) * step.beta1 + slope * step.rest1;
    const V spread = load<Real>(v + j, some, Real(0)) * step.beta2 + slope * step.rest2 * slope;
    store<Real>(m + j, some, mean);
    store<Real>(v + j, some, spread);
    const V size = square_root<Real>(spread) * step.root + step.epsilon;
    store<Real>(x + j, some, load<Real>(x + j, some, Real(0)) * step.kept - mean * step.rate / size);
  });
}

template <typename Real>
FOVEA_TARGET double squared_norm(const Real* x, Index count) {
  using V = Lane<double>::V;
  typedef Real Numbers __attribute__((vector_size(sizeof(Real) * Lane<double>::kWidth)));
  return sum_of<double>(count, [=](V& sum, Index j, Index some) FOVEA_LAMBDA {
    Numbers numbers = {};
    if (some == Lane<double>::kWidth)
      std::memcpy(&numbers, x + j, sizeof numbers);
    else
      for (int i = 0; i < static_cast<int>(some); ++i) numbers[i] = x[j + i];
    const V wide = __builtin_convertvector(numbers, V);
    sum += wide * wide;
  });
}

template <typename Real>
constexpr LearningKernels<Real> kLearningTable{&pointwise<Real, ExpOf>,
                                               &pointwise<Real, GeluOf>,
                                               &pointwise<Real, LogOf>,
                                               &pointwise<Real, ReluOf>,
                                               &pointwise<Real, SigmoidOf>,
                                               &pointwise<Real, SoftplusOf>,
                                               &pointwise<Real, TanhOf>,
                                               &combine<Real>,
                                               &scale<Real>,
                                               &add_scaled<Real>,
                                               &multiply<Real>,
                                               &dropout<Real>,
                                               &add_row<Real>,
                                               &multiply_row<Real>,
                                               &multiply_column<Real>,
                                               &add_column_sums<Real>,
                                               &add_column_dots<Real>,
                                               &row_dots<Real>,
                                               &norm<Real>,
                                               &norm_backward<Real>,
                                               &rotate<Real>,
                                               &turns<Real>,
                                               &pool_decaying<Real>,
                                               &pool_power_law<Real>,
                                               &adamw<Real>,
                                               &squared_norm<Real>};

}  // namespace
}  // namespace fovea::learning
