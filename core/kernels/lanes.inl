// Vectors of the instruction set that FOVEA_TARGET names, FOVEA_VECTOR_BYTES wide, and exp, log and tanh on them.
// Included by loops.inl (and that of core/learning), once for each instruction set.

#define FOVEA_INLINE __attribute__((always_inline)) FOVEA_TARGET
#define FOVEA_FOLD __attribute__((always_inline)) FOVEA_TARGET

constexpr Index kLaneBytes = 64;  // sums run over this many bytes at once, on every machine

template <typename Real>
struct Constants;

template <>
struct Constants<double> {
  using Bits = std::int64_t;
  static constexpr double kLowest = -708.0;
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;  // 42 bits and the rest
  static constexpr double kRound = 0x1.8p52 + 1023;  // x + kRound - kRound rounds; the bias of an exponent is 1023
  static constexpr int kFractionBits = 52;
  static constexpr Bits kSqrtHalf = 0x3fe6a09e667f3bcd;  // bits of sqrt(1/2)
  static constexpr double kExp[] = {0x1.000000000000bp-1,  0x1.5555555555561p-3,  0x1.5555555550031p-5,
                                    0x1.111111110d639p-7,  0x1.6c16c185a72a9p-10, 0x1.a01a01bae2811p-13,
                                    0x1.a01996942214dp-16, 0x1.71dddfcb85868p-19, 0x1.28b048c2c37ecp-22,
                                    0x1.af8587fe3046dp-26};
};

template <>
struct Constants<float> {
  using Bits = std::int32_t;
  static constexpr float kLowest = -87.0F;
  static constexpr float kLog2E = 0x1.71547652b82fep+0F;
  static constexpr float kLn2 = 0x1.62e43p-1F;
  static constexpr float kWeight[] = {0x1.fffdfb78388ecp-2F, 0x1.5557af992d0cbp-3F, 0x1.572a647a87340p-5F,
                                      0x1.106250826efafp-7F};                        // degree 3 of the same kind
  static constexpr float kLn2High = 0x1.62e4p-1F, kLn2Low = 0x1.7f7d1cf79abcap-20F;  // 16 bits and the rest
  static constexpr float kRound = 0x1.8p23F + 127;
  static constexpr int kFractionBits = 23;
  static constexpr Bits kSqrtHalf = 0x3f3504f3;
  static constexpr float kExp[] = {0x1.00000051c4c44p-1F, 0x1.55548eecad0c8p-3F, 0x1.55545de6b30aep-5F,
                                   0x1.123b54deb428ep-7F, 0x1.6db42a9238793p-10F};
};

constexpr double kLog[] = {0x1.5555555555592p-1, 0x1.999999997fda0p-2, 0x1.24924941f3140p-2, 0x1.c71c52076378dp-3,
                           0x1.74663f61e4753p-3, 0x1.39a1ace9252efp-3, 0x1.2f05fccee112cp-3};

template <typename Real>
struct Lane : Constants<Real> {
  using Bits = typename Constants<Real>::Bits;
  typedef Real V __attribute__((vector_size(FOVEA_VECTOR_BYTES)));
  typedef Bits I __attribute__((vector_size(FOVEA_VECTOR_BYTES)));
  static constexpr Index kWidth = FOVEA_VECTOR_BYTES / static_cast<Index>(sizeof(Real));
  static constexpr Index kParts = kLaneBytes / FOVEA_VECTOR_BYTES;
  static constexpr Index kLanes = kWidth * kParts;
};

/// A whole vector; a number where only that many of its entries count.
template <typename Real>
struct Whole {
  constexpr operator Index() const { return Lane<Real>::kWidth; }
};

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V broadcast(Real x) {
  return x - typename Lane<Real>::V{};  // x + 0 would turn -0 into 0, so it costs an addition
}

// Of a part of a vector, nothing behind the last of `count` entries is touched.
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V load_some(const Real* from, Index count, Real fill) {
  if constexpr (sizeof(Real) == 8)
    return _mm512_mask_loadu_pd(broadcast<Real>(fill), static_cast<__mmask8>((1U << count) - 1), from);
  else
    return _mm512_mask_loadu_ps(broadcast<Real>(fill), static_cast<__mmask16>((1U << count) - 1), from);
}
template <typename Real>
FOVEA_INLINE inline void store_some(Real* to, Index count, typename Lane<Real>::V x) {
  if constexpr (sizeof(Real) == 8)
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1U << count) - 1), x);
  else
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1), x);
}
#else
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V load_some(const Real* from, Index count, Real fill) {
  typename Lane<Real>::V x;
  Real part[Lane<Real>::kWidth];
  for (Index i = 0; i < Lane<Real>::kWidth; ++i) part[i] = i < count ? from[i] : fill;
  std::memcpy(&x, part, sizeof x);
  return x;
}
template <typename Real>
FOVEA_INLINE inline void store_some(Real* to, Index count, typename Lane<Real>::V x) {
  Real part[Lane<Real>::kWidth];
  std::memcpy(part, &x, sizeof x);
  for (Index i = 0; i < count; ++i) to[i] = part[i];
}
#endif

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V load(const Real* from, Index count, Real fill) {
  if (count != Lane<Real>::kWidth) return load_some<Real>(from, count, fill);
  typename Lane<Real>::V x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <typename Real>
FOVEA_INLINE inline void store(Real* to, Index count, typename Lane<Real>::V x) {
  if (count == Lane<Real>::kWidth)
    std::memcpy(to, &x, sizeof x);
  else
    store_some<Real>(to, count, x);
}

/// The first `count` numbers and `fill` behind them, where the memory goes on to the end of the vector.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V load_part(const Real* from, Index count, Real fill) {
  using L = Lane<Real>;
  typename L::I place;
#pragma GCC unroll 16
  for (int i = 0; i < static_cast<int>(L::kWidth); ++i) place[i] = i;
  const typename L::V all = load<Real>(from, L::kWidth, fill);
  return place < static_cast<typename L::Bits>(count) ? all : broadcast<Real>(fill);
}

// a * b + c, rounded once where the instruction set can (the same bits on AVX2 and AVX-512).
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V multiply_add(typename Lane<Real>::V a, typename Lane<Real>::V b,
                                                        typename Lane<Real>::V c) {
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
  if constexpr (sizeof(Real) == 8)
    return _mm512_fmadd_pd(a, b, c);
  else
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
  if constexpr (sizeof(Real) == 8)
    return _mm256_fmadd_pd(a, b, c);
  else
    return _mm256_fmadd_ps(a, b, c);
#elif defined(FOVEA_FUSED)
  typename Lane<Real>::V sum;
  for (int i = 0; i < static_cast<int>(Lane<Real>::kWidth); ++i) {
    if constexpr (sizeof(Real) == 8)
      sum[i] = __builtin_fma(a[i], b[i], c[i]);
    else
      sum[i] = __builtin_fmaf(a[i], b[i], c[i]);
  }
  return sum;
#else
  return a * b + c;
#endif
}

// For x up to 709 (float: 88). Far below the range the steps give nonsense, which the last line replaces.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V lane_exp(typename Lane<Real>::V x) {
  using L = Lane<Real>;
  using V = typename L::V;
  using I = typename L::I;
  const V rounded = multiply_add<Real>(x, broadcast<Real>(L::kLog2E), broadcast<Real>(L::kRound));
  const V n = rounded - L::kRound;  // n + bias stands in the last bits of the fraction of `rounded`
  const V r =
      multiply_add<Real>(n, broadcast<Real>(-L::kLn2Low), multiply_add<Real>(n, broadcast<Real>(-L::kLn2High), x));
  // Even and odd powers apart: two short chains wait less for one another than a long one.
  constexpr int degree = std::size(L::kExp) - 1, even = degree / 2 * 2, odd = (degree - 1) / 2 * 2 + 1;
  const V square = r * r;
  V evens = broadcast<Real>(L::kExp[even]), odds = broadcast<Real>(L::kExp[odd]);
#pragma GCC unroll 8
  for (int k = even - 2; k >= 0; k -= 2) evens = multiply_add<Real>(evens, square, broadcast<Real>(L::kExp[k]));
#pragma GCC unroll 8
  for (int k = odd - 2; k >= 1; k -= 2) odds = multiply_add<Real>(odds, square, broadcast<Real>(L::kExp[k]));
  const V fraction = multiply_add<Real>(multiply_add<Real>(odds, r, evens), square, r) + Real(1);
  const V y = fraction * reinterpret_cast<V>(reinterpret_cast<I>(rounded) << L::kFractionBits);
  return x < broadcast<Real>(L::kLowest) ? V{} : y;  // in this order a NaN stays
}

/// exp for weights, x <= 0. In float two multiplications less: relative error below 2.5e-7 for weights above 1e-4 of
/// the largest, and below 3e-6 for the smallest, which add nothing that a float sum of weights could hold.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V lane_weight(typename Lane<Real>::V x) {
  using L = Lane<Real>;
  using V = typename L::V;
  using I = typename L::I;
  if constexpr (sizeof(Real) == 8) {
    return lane_exp<Real>(x);
  } else {
    const V rounded = multiply_add<Real>(x, broadcast<Real>(L::kLog2E), broadcast<Real>(L::kRound));
    const V n = rounded - L::kRound;
    const V r = multiply_add<Real>(n, broadcast<Real>(-L::kLn2), x);
    const V square = r * r;
    const V evens = multiply_add<Real>(broadcast<Real>(L::kWeight[2]), square, broadcast<Real>(L::kWeight[0]));
    const V odds = multiply_add<Real>(broadcast<Real>(L::kWeight[3]), square, broadcast<Real>(L::kWeight[1]));
    const V fraction = multiply_add<Real>(multiply_add<Real>(odds, r, evens), square, r) + Real(1);
    const V y = fraction * reinterpret_cast<V>(reinterpret_cast<I>(rounded) << L::kFractionBits);
    return x < broadcast<Real>(L::kLowest) ? V{} : y;
  }
}

/// exp(-x / 2) = 2^n 2^r for 0 <= x <= kMostDistance, 8 n = round(-4 x / ln 2), with a relative error below 2e-7 + 1e-7
/// x / 2. 2^r = 1 + r p(r), p of degree 2, minimax of the relative error on |r| <= 1/16 (2.5e-8). 2^n: the bits of one
/// of 8 roots of 2, less its number k << 20, and 8 n << 20, which is k << 20 with the exponent above it.
constexpr float kMostDistance = 173;  // 2^n stays a normal number

FOVEA_INLINE inline Lane<float>::V lane_half_weight(Lane<float>::V x) {
  using L = Lane<float>;
  using V = L::V;
  using I = L::I;
  alignas(64) static constexpr std::int32_t kRoots[] = {
      0x3f800000, 0x3f7b95c2, 0x3f7837f0, 0x3f75fed7, 0x3f7504f3, 0x3f75672a, 0x3f7744fd, 0x3f7ac0c7,
      0x3f800000, 0x3f7b95c2, 0x3f7837f0, 0x3f75fed7, 0x3f7504f3, 0x3f75672a, 0x3f7744fd, 0x3f7ac0c7};
  constexpr float kWhole = 0x1.8p20F;  // 8 n stands in the last bits of the fraction
  const V slope = broadcast<float>(-L::kLog2E / 2);
  const V rounded = multiply_add<float>(x, slope, broadcast<float>(kWhole));
  const V r = multiply_add<float>(x, slope, kWhole - rounded);
  const I eighths = reinterpret_cast<I>(rounded);
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
  const I root = reinterpret_cast<I>(
      _mm512_permutexvar_epi32(reinterpret_cast<__m512i>(eighths), *reinterpret_cast<const __m512i*>(kRoots)));
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
  const I root = reinterpret_cast<I>(
      _mm256_permutevar8x32_epi32(*reinterpret_cast<const __m256i*>(kRoots), reinterpret_cast<__m256i>(eighths)));
#else
  I root;
  for (int k = 0; k < static_cast<int>(L::kWidth); ++k) root[k] = kRoots[eighths[k] & 7];
#endif
  V p = multiply_add<float>(broadcast<float>(0x1.c6a002p-5F), r, broadcast<float>(0x1.ec0c32p-3F));
  p = multiply_add<float>(p, r, broadcast<float>(0x1.62e432p-1F));
  p = multiply_add<float>(p, r, broadcast<float>(1.0F));
  return p * reinterpret_cast<V>(root + (eighths << (L::kFractionBits - 3)));
}

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V lane_log(typename Lane<Real>::V x) {
  using L = Lane<Real>;
  using V = typename L::V;
  using I = typename L::I;
  const I bits = reinterpret_cast<I>(x);
  const I exponent = (bits - L::kSqrtHalf) >> L::kFractionBits;  // so that m starts at sqrt(1/2)
  const V m = reinterpret_cast<V>(bits - (exponent << L::kFractionBits));
  // The whole number n as a real one: write it into the fraction of kRound.
  const V n = reinterpret_cast<V>(reinterpret_cast<I>(broadcast<Real>(L::kRound)) + exponent) - L::kRound;
  const V f = m - Real(1);
  const V s = f / (m + Real(1));
  const V z = s * s;
  V q = broadcast<Real>(static_cast<Real>(kLog[6]));
#pragma GCC unroll 8
  for (int k = 5; k >= 0; --k) q = q * z + static_cast<Real>(kLog[k]);
  const V y = n * L::kLn2High + (f - (s * (f - z * q) - n * L::kLn2Low));
  return x != x ? x : y;
}

// a > b ? a : b and a < b ? a : b, also for NaN: one instruction, which g++ does not find by itself.
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
#define FOVEA_EXTREME(name, suffix) _mm512_##name##_##suffix
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
#define FOVEA_EXTREME(name, suffix) _mm256_##name##_##suffix
#elif defined(__x86_64__)
#define FOVEA_EXTREME(name, suffix) _mm_##name##_##suffix
#endif

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V larger(typename Lane<Real>::V a, typename Lane<Real>::V b) {
#ifdef FOVEA_EXTREME
  if constexpr (sizeof(Real) == 8)
    return FOVEA_EXTREME(max, pd)(a, b);
  else
    return FOVEA_EXTREME(max, ps)(a, b);
#else
  return a > b ? a : b;
#endif
}

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V smaller(typename Lane<Real>::V a, typename Lane<Real>::V b) {
#ifdef FOVEA_EXTREME
  if constexpr (sizeof(Real) == 8)
    return FOVEA_EXTREME(min, pd)(a, b);
  else
    return FOVEA_EXTREME(min, ps)(a, b);
#else
  return a < b ? a : b;
#endif
}

/// The nearest finite number; NaN stays NaN.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V finite(typename Lane<Real>::V x) {
  const typename Lane<Real>::V high = broadcast<Real>(std::numeric_limits<Real>::max());
  return larger<Real>(-high, smaller<Real>(high, x));
}

/// 1 - 2 / (e^2x + 1): right to the last places of 1, not of a small x.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V lane_tanh(typename Lane<Real>::V x) {
  constexpr Real kFar = sizeof(Real) == 8 ? 20 : 10;  // beyond it tanh is 1
  const typename Lane<Real>::V near = larger<Real>(broadcast<Real>(-kFar), smaller<Real>(broadcast<Real>(kFar), x));
  return Real(1) - Real(2) / (lane_exp<Real>(near + near) + Real(1));
}

/// Calls f(j, count) for the entries [j, j + count) of 0 .. count, a vector at a time.
template <typename Real, typename F>
FOVEA_INLINE inline void each_vector(Index count, F f) {
  Index j = 0;
  for (; j + Lane<Real>::kWidth <= count; j += Lane<Real>::kWidth) f(j, Whole<Real>{});
  if (j < count) f(j, count - j);
}

// Half of a vector beside the other half: the step of every tree. Built from the widest register down.
template <typename Real, typename Combine>
FOVEA_INLINE inline Real fold(const Real* lanes, Combine combine) {
  typedef Real Four __attribute__((vector_size(16)));
  constexpr Index kFours = kLaneBytes / 16, kWidth = 16 / static_cast<Index>(sizeof(Real));
  Four parts[kFours];
  std::memcpy(parts, lanes, sizeof parts);
#pragma GCC unroll 2
  for (Index p = 0; p < 2; ++p) parts[p] = combine(parts[p], parts[p + 2]);
  const Four one = combine(parts[0], parts[1]);
  Real rest[kWidth];
  std::memcpy(rest, &one, sizeof rest);
  if constexpr (kWidth == 4) {
    const Real even = combine(rest[0], rest[2]), odd = combine(rest[1], rest[3]);
    return combine(even, odd);
  } else {
    return combine(rest[0], rest[1]);
  }
}

/// The sum of all lanes: each half is added to the other, down to one number.
template <typename Real>
FOVEA_INLINE inline Real add_up(const typename Lane<Real>::V (&parts)[Lane<Real>::kParts]) {
  Real lanes[Lane<Real>::kLanes];
  std::memcpy(lanes, parts, sizeof lanes);
  return fold(lanes, [](auto a, auto b) FOVEA_FOLD { return a + b; });
}

/// Calls f(sums, j, count) likewise, with the running sums of the lanes that entry j belongs to; then adds all lanes in
/// a fixed tree. The sums start at +0, so adding 0 for a missing entry changes no bit.
template <typename Real, typename F>
FOVEA_INLINE inline Real sum_of(Index count, F f) {
  using L = Lane<Real>;
  typename L::V sums[L::kParts] = {};
  Index j = 0;
  for (; j + L::kLanes <= count; j += L::kLanes)
#pragma GCC unroll 4
    for (Index p = 0; p < L::kParts; ++p) f(sums[p], j + p * L::kWidth, Whole<Real>{});
  for (Index p = 0; j < count; ++p, j += L::kWidth) f(sums[p], j, std::min<Index>(count - j, L::kWidth));
  return add_up<Real>(sums);
}
