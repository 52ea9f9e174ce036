// The functions of operations on vectors. Each gives f(x) and f'(x). Included by learning_loops.inl behind lanes.inl.

template <typename Real>
struct NormalTail;

// Phi(-z) = e^(-z^2/2) t P(2 t - 1), t = 1 / (1 + kSlope z): P interpolates at Chebyshev nodes for z below kFar, where
// e^(-z^2/2) is 0. Relative errors of P: 4e-9 and 4e-17.
template <>
struct NormalTail<float> {
  static constexpr float kSlope = 0.3F, kFar = 14;
  static constexpr double kSeries[] = {0x1.c6988764e9447p-3,   0x1.510f0d2d11b2bp-3,  0x1.6281ef400b318p-4,
                                       0x1.c6d2f5d523c16p-6,   0x1.dc1c22cbcfa4ep-10, -0x1.3d9bdfe5c9953p-9,
                                       -0x1.2b1d1259b4480p-11, 0x1.2609d91af279bp-12, 0x1.46763f4febefap-14,
                                       -0x1.56a92ec356f24p-15};
};
template <>
struct NormalTail<double> {
  static constexpr double kSlope = 0.25, kFar = 39;
  static constexpr double kSeries[] = {
      0x1.82b4bb8c94dcep-3,  0x1.373e3a893c287p-3,   0x1.8c6dbf2cfc2fdp-4,   0x1.7dff2bff6889ap-5,
      0x1.eec4cc3e4560cp-7,  0x1.ee2761034c407p-10,  -0x1.c81719cabcedep-11, -0x1.ab825f7e9996dp-12,
      0x1.17a4a6b9505f7p-15, 0x1.e4a415fb8cca5p-15,  -0x1.0011cb7c88079p-21, -0x1.26cf8dea72ab1p-17,
      0x1.7fdd9eeeb883fp-23, 0x1.8d35cd874dc01p-20,  -0x1.4f9d808db1d2fp-23, -0x1.11c074ae9e33fp-22,
      0x1.1b207d62865e8p-24, 0x1.4b471811b0210p-25,  -0x1.480d99ae63529p-26, -0x1.f4eaa9c85bbb0p-29,
      0x1.de6d02a26289cp-29, -0x1.3fb7ce475a168p-36, -0x1.0959f1400a390p-32};
};

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V magnitude(typename Lane<Real>::V x) {
  using I = typename Lane<Real>::I;
  const I but_sign = I{} + std::numeric_limits<typename Lane<Real>::Bits>::max();
  return reinterpret_cast<typename Lane<Real>::V>(reinterpret_cast<I>(x) & but_sign);
}

template <typename Real>
struct ExpOf {
  using V = typename Lane<Real>::V;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    y = lane_exp<Real>(smaller<Real>(broadcast<Real>(sizeof(Real) == 8 ? 709 : 88), x));
    slope = y;
  }
};

template <typename Real>
struct GeluOf {
  using V = typename Lane<Real>::V;
  using Tail = NormalTail<Real>;
  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    const V near = larger<Real>(broadcast<Real>(-Tail::kFar), smaller<Real>(broadcast<Real>(Tail::kFar), x));
    const V square = near * near;
    const V lost = multiply_add<Real>(near, near, -square);  // what rounding took from the square
    V bell = lane_exp<Real>(square * Real(-0.5));
    bell = multiply_add<Real>(bell, lost * Real(-0.5), bell);
    const V t = Real(1) / multiply_add<Real>(magnitude<Real>(near), broadcast<Real>(Tail::kSlope), broadcast<Real>(1));
    const V tail = bell * t * series(t + t - Real(1));
    const V phi = near < Real(0) ? tail : Real(1) - tail;
    y = x * phi;
    slope = multiply_add<Real>(near * Real(0x1.9884533d43651p-2), bell, phi);  // 1 / sqrt(2 pi)
  }
  // Even and odd powers apart: two short chains wait less for one another than a long one.
  FOVEA_INLINE static V series(V u) {
    constexpr int degree = std::size(Tail::kSeries) - 1, even = degree / 2 * 2, odd = (degree - 1) / 2 * 2 + 1;
    const V square = u * u;
    V evens = broadcast<Real>(static_cast<Real>(Tail::kSeries[even]));
    V odds = broadcast<Real>(static_cast<Real>(Tail::kSeries[odd]));
#pragma GCC unroll 16
    for (int k = even - 2; k >= 0; k -= 2)
      evens = multiply_add<Real>(evens, square, broadcast<Real>(static_cast<Real>(Tail::kSeries[k])));
#pragma GCC unroll 16
    for (int k = odd - 2; k >= 1; k -= 2)
      odds = multiply_add<Real>(odds, square, broadcast<Real>(static_cast<Real>(Tail::kSeries[k])));
    return multiply_add<Real>(odds, u, evens);
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
