// The functions of operations on vectors. Each gives f(x) and f'(x). Included by learning_loops.inl behind lanes.inl.

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V magnitude(typename Lane<Real>::V x) {
  using I = typename Lane<Real>::I;
  const I but_sign = I{} + std::numeric_limits<typename Lane<Real>::Bits>::max();
  return reinterpret_cast<typename Lane<Real>::V>(reinterpret_cast<I>(x) & but_sign);
}

#include "fovea/core/learning/kernels/gelu.inl"

template <typename Real>
struct ExpOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    y = lane_exp<Real>(smaller<Real>(broadcast<Real>(sizeof(Real) == 8 ? 709 : 88), x));
    slope = y;
  }
};

/// Also of what the engine's log leaves out: subnormal numbers, 0 (-inf), negative ones (NaN) and infinity.
template <typename Real>
struct LogOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
    constexpr Real kScale = sizeof(Real) == 8 ? 0x1p60 : 0x1p30;
    constexpr Real kLogScale = static_cast<Real>((sizeof(Real) == 8 ? 60 : 30) * 0.693147180559945309417);
    const V small = broadcast<Real>(std::numeric_limits<Real>::min());
    const V normal = lane_log<Real>(x < small ? x * kScale : x);
    y = x < small ? normal - kLogScale : normal;
    y = x == broadcast<Real>(kInfinity) ? x : y;
    y = x == Real(0) ? broadcast<Real>(-kInfinity) : y;
    y = x < Real(0) ? broadcast<Real>(std::numeric_limits<Real>::quiet_NaN()) : y;
    slope = Real(1) / x;
  }
};

template <typename Real>
struct ReluOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    y = x < Real(0) ? V{} : x;
    slope = x > Real(0) ? broadcast<Real>(1) : y * Real(0);  // 0, or NaN
  }
};

template <typename Real>
struct SigmoidOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    const V e = lane_exp<Real>(-magnitude<Real>(x));
    const V high = Real(1) / (e + Real(1)), low = e * high;
    y = x < Real(0) ? low : high;
    slope = low * high;
  }
};

template <typename Real>
struct SoftplusOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    const V e = lane_exp<Real>(-magnitude<Real>(x));
    const V sum = e + Real(1), rounded = sum - Real(1);
    const V log = rounded == Real(0) ? e : lane_log<Real>(sum) * e / rounded;  // log(1 + e), small e as well
    y = x > Real(0) ? x + log : log;
    const V high = Real(1) / sum;
    slope = x < Real(0) ? e * high : high;
  }
};

template <typename Real>
struct TanhOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    y = lane_tanh<Real>(x);
    slope = Real(1) - y * y;
  }
};

template <typename Real, template <typename> class Function>
FOVEA_TARGET void pointwise(const Real* x, Index count, Real* y, Real* slopes) {
  using V = typename Lane<Real>::V;
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    V value, slope;
    Function<Real>::at(load<Real>(x + j, some, Real(1)), value, slope);
    store<Real>(y + j, some, value);
    if (slopes) store<Real>(slopes + j, some, slope);
  });
}
