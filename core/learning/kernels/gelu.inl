// GELU, x Phi(x), and its slope Phi(x) + x phi(x) (Hendrycks & Gimpel 2016). Included by pointwise.inl.

template <typename Real>
struct GeluOf;

/// Phi(-z) by polynomials of degree 8 about z = 0, 1/2, 1, ..., 7, each for the z nearer than 1/4 to it: they
/// interpolate at Chebyshev nodes, with relative errors below 2e-7. Row n has the coefficients of (z - k / 2)^n, a
/// column for each k; the last column, from 7.25 on, is 0. The table of 16 fits one register of AVX-512 and two of
/// AVX2, so picking from it costs less than an exponential and a division: 22 cycles for 16 numbers instead of 41 (Zen
/// 4), with the slope 30 instead of 42.
constexpr int kTailDegree = 8;
constexpr float kFarthest = 7.5F;
alignas(64) constexpr float kTail[kTailDegree + 1][16] = {
    {0x1p-1F, 0x1.3bf144p-2F, 0x1.44ed0cp-3F, 0x1.11a46ep-4F, 0x1.74bcf8p-6F, 0x1.96f4e6p-8F, 0x1.61de2p-10F,
     0x1.e7dbcap-13F, 0x1.09ad7ap-15F, 0x1.c80728p-19F, 0x1.33ca3p-22F, 0x1.463cfap-26F, 0x1.0f30fp-30F,
     0x1.61404cp-35F, 0x1.683c36p-40F, 0},
    {-0x1.988454p-2F, -0x1.6883dp-2F, -0x1.ef8e58p-3F, -0x1.094086p-3F, -0x1.ba4b44p-5F, -0x1.1f2f06p-6F,
     -0x1.227214p-8F, -0x1.c9897ep-11F, -0x1.18a98ep-13F, -0x1.0c29a4p-16F, -0x1.8f1694p-20F, -0x1.ce8eb8p-24F,
     -0x1.a187f6p-28F, -0x1.25852cp-32F, -0x1.4165ep-37F, 0},
    {0x1.526ef8p-49F, 0x1.6883dp-4F, 0x1.ef8e58p-4F, 0x1.8de0c8p-4F, 0x1.ba4b44p-5F, 0x1.66fac6p-6F, 0x1.b3ab1ep-8F,
     0x1.90584ep-10F, 0x1.18a98ep-12F, 0x1.2daedap-15F, 0x1.f2dc3cp-19F, 0x1.3e0226p-22F, 0x1.39260ap-26F,
     0x1.dcf8a2p-31F, 0x1.19396ap-35F, 0},
    {0x1.105834p-4F, 0x1.6883dp-5F, 0x1.562ebep-27F, -0x1.ba163p-6F, -0x1.ba4b48p-6F, -0x1.f6924ep-7F, -0x1.8342c2p-8F,
     -0x1.acf0dap-10F, -0x1.5ed3ecp-12F, -0x1.ae2d9ep-15F, -0x1.8f173p-18F, -0x1.19e024p-21F, -0x1.3075ecp-25F,
     -0x1.f885e8p-30F, -0x1.417032p-34F, 0},
    {-0x1.381c7cp-42F, -0x1.4a78dp-6F, -0x1.4a5ee6p-6F, -0x1.8de0d2p-8F, 0x1.26dcd6p-8F, 0x1.84e506p-8F, 0x1.b3ab2p-9F,
     0x1.349964p-10F, 0x1.300dp-12F, 0x1.b1ab58p-15F, 0x1.c94a04p-18F, 0x1.6912d4p-21F, 0x1.ae9574p-25F,
     0x1.86082ap-29F, 0x1.0d8484p-33F, 0},
    {-0x1.46c9fp-7F, -0x1.2c6c7ap-8F, 0x1.084248p-8F, 0x1.809ac8p-8F, 0x1.26e4fp-9F, -0x1.5d583p-11F, -0x1.2274cep-10F,
     -0x1.2f608ep-11F, -0x1.7d3e58p-13F, -0x1.45be5ap-15F, -0x1.8d4a7ap-18F, -0x1.62a44ep-21F, -0x1.d66b42p-25F,
     -0x1.d436ep-29F, -0x1.6016dap-33F, 0},
    {0x1.26580ap-37F, 0x1.928c4p-9F, 0x1.084b7ep-9F, -0x1.58c2fp-11F, -0x1.61d48ap-10F, -0x1.0d4224p-11F,
     0x1.d0a86cp-14F, 0x1.7aad0cp-13F, 0x1.5a2b04p-14F, 0x1.7504fep-16F, 0x1.0e2f7cp-18F, 0x1.15180ap-21F,
     0x1.9d5c5p-25F, 0x1.c7cea6p-29F, 0x1.7783cep-33F, 0},
    {0x1.33072ep-10F, 0x1.5461acp-12F, -0x1.8c4c84p-11F, -0x1.228edap-11F, 0x1.d896f8p-14F, 0x1.10d81cp-12F,
     0x1.65b9d6p-14F, -0x1.58f31p-16F, -0x1.aa563cp-16F, -0x1.4737bep-17F, -0x1.292152p-19F, -0x1.69ff62p-22F,
     -0x1.37623ep-25F, -0x1.849bep-29F, -0x1.65b0f2p-33F, 0},
    {-0x1.4a961ap-34F, -0x1.69d03p-12F, -0x1.f64b9ap-14F, 0x1.696e74p-13F, 0x1.e1534ap-14F, -0x1.b6399p-16F,
     -0x1.6ac908p-15F, -0x1.549e1p-17F, 0x1.00c14ap-18F, 0x1.9a2648p-19F, 0x1.f617f4p-21F, 0x1.7354fp-23F,
     0x1.71f68cp-26F, 0x1.043d72p-29F, 0x1.093bfcp-33F, 0},
};

using Floats = Lane<float>::V;
using Places = Lane<float>::I;

/// table[place mod 16] for each place.
FOVEA_INLINE inline Floats pick(const float (&table)[16], Places places) {
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
  return _mm512_permutexvar_ps(reinterpret_cast<__m512i>(places), _mm512_load_ps(table));
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
  const __m256i at = reinterpret_cast<__m256i>(places);
  const __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(table), at);
  const __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(table + 8), at);
  return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)));  // bit 3 becomes the sign
#else
  Floats picked;
  for (int i = 0; i < static_cast<int>(Lane<float>::kWidth); ++i) picked[i] = table[places[i] & 15];
  return picked;
#endif
}

template <>
struct GeluOf<float> {
  FOVEA_INLINE static void at(Floats x, Floats& y, Floats& slope) {
    constexpr float kRound = 0x1p23F;  // 2 z + kRound has the nearest whole number k in its last bits
    const Floats z = smaller<float>(broadcast<float>(kFarthest), magnitude<float>(x));
    const Floats rounded = multiply_add<float>(z, broadcast<float>(2), broadcast<float>(kRound));
    const Floats u = multiply_add<float>(rounded - kRound, broadcast<float>(-0.5F), z);
    const Places k = reinterpret_cast<Places>(rounded);
    Floats tail = pick(kTail[kTailDegree], k), derivative = tail;
#pragma GCC unroll 16
    for (int n = kTailDegree - 1; n >= 0; --n) {
      if (n < kTailDegree - 1) derivative = multiply_add<float>(derivative, u, tail);
      tail = multiply_add<float>(tail, u, pick(kTail[n], k));
    }
    y = multiply_add<float>(-z, tail, larger<float>(broadcast<float>(0), x));
    const Floats below = multiply_add<float>(z, derivative, tail);  // the derivative of the tail is -phi(z)
    slope = x < 0 ? below : 1 - below;
  }
};

/// Phi(-z) = e^(-z^2/2) t P(2 t - 1), t = 1 / (1 + kSlope z): P interpolates at Chebyshev nodes for z below kFar, where
/// e^(-z^2/2) is 0. Relative error of P: 4e-17.
template <>
struct GeluOf<double> {
  using V = Lane<double>::V;
  static constexpr double kSlope = 0.25, kFar = 39;
  static constexpr double kSeries[] = {
      0x1.82b4bb8c94dcep-3,  0x1.373e3a893c287p-3,   0x1.8c6dbf2cfc2fdp-4,   0x1.7dff2bff6889ap-5,
      0x1.eec4cc3e4560cp-7,  0x1.ee2761034c407p-10,  -0x1.c81719cabcedep-11, -0x1.ab825f7e9996dp-12,
      0x1.17a4a6b9505f7p-15, 0x1.e4a415fb8cca5p-15,  -0x1.0011cb7c88079p-21, -0x1.26cf8dea72ab1p-17,
      0x1.7fdd9eeeb883fp-23, 0x1.8d35cd874dc01p-20,  -0x1.4f9d808db1d2fp-23, -0x1.11c074ae9e33fp-22,
      0x1.1b207d62865e8p-24, 0x1.4b471811b0210p-25,  -0x1.480d99ae63529p-26, -0x1.f4eaa9c85bbb0p-29,
      0x1.de6d02a26289cp-29, -0x1.3fb7ce475a168p-36, -0x1.0959f1400a390p-32};

  FOVEA_INLINE static void at(V x, V& y, V& slope) {
    const V near = larger<double>(broadcast<double>(-kFar), smaller<double>(broadcast<double>(kFar), x));
    const V square = near * near;
    const V lost = multiply_add<double>(near, near, -square);  // what rounding took from the square
    V bell = lane_exp<double>(square * -0.5);
    bell = multiply_add<double>(bell, lost * -0.5, bell);
    const V t = 1 / multiply_add<double>(magnitude<double>(near), broadcast<double>(kSlope), broadcast<double>(1));
    const V tail = bell * t * series(t + t - 1);
    const V phi = near < 0 ? tail : 1 - tail;
    y = x * phi;
    slope = multiply_add<double>(near * 0x1.9884533d43651p-2, bell, phi);  // 1 / sqrt(2 pi)
  }
  // Even and odd powers apart: two short chains wait less for one another than a long one.
  FOVEA_INLINE static V series(V u) {
    constexpr int degree = std::size(kSeries) - 1, even = degree / 2 * 2, odd = (degree - 1) / 2 * 2 + 1;
    const V square = u * u;
    V evens = broadcast<double>(kSeries[even]);
    V odds = broadcast<double>(kSeries[odd]);
#pragma GCC unroll 16
    for (int k = even - 2; k >= 0; k -= 2) evens = multiply_add<double>(evens, square, broadcast<double>(kSeries[k]));
#pragma GCC unroll 16
    for (int k = odd - 2; k >= 1; k -= 2) odds = multiply_add<double>(odds, square, broadcast<double>(kSeries[k]));
    return multiply_add<double>(odds, u, evens);
  }
};
