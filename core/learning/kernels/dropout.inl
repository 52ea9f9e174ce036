// Random masks on vectors. Included by learning_loops.inl behind lanes.inl.

using Words = Lane<double>::I;  // one 32-bit word of a block in each 64 bits, in their lower half

/// The products of the lower halves.
FOVEA_INLINE inline Words wide_product(Words a, Words b) {
#if defined(__x86_64__) && FOVEA_VECTOR_BYTES == 64
  return reinterpret_cast<Words>(_mm512_mul_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__x86_64__) && FOVEA_VECTOR_BYTES == 32
  return reinterpret_cast<Words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__x86_64__)
  return reinterpret_cast<Words>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

FOVEA_INLINE inline Words upper_half(Words a) {
  typedef std::uint64_t Unsigned __attribute__((vector_size(FOVEA_VECTOR_BYTES)));
  return reinterpret_cast<Words>(reinterpret_cast<Unsigned>(a) >> 32);
}

constexpr Index kBlocksAtOnce = 8;           // Philox blocks of a chunk,
constexpr Index kChunk = kBlocksAtOnce * 8;  // each of 8 entries with 16 bits

/// Philox4x32-10 of the counters (first, first + 1, ...): the two words with 64 bits of each block.
FOVEA_INLINE inline void philox_blocks(std::uint64_t key, Words counters, Words& low, Words& high) {
  constexpr std::int64_t kMultiplyA = 0xD2511F53, kMultiplyB = 0xCD9E8D57;
  std::uint32_t key_a = static_cast<std::uint32_t>(key), key_b = static_cast<std::uint32_t>(key >> 32);
  Words a = counters, b = upper_half(counters), c = Words{}, d = Words{};
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {  // the upper halves hold nothing that the products see
    const Words left = wide_product(a, Words{} + kMultiplyA), right = wide_product(c, Words{} + kMultiplyB);
    a = upper_half(right) ^ b ^ static_cast<std::int64_t>(key_a);
    c = upper_half(left) ^ d ^ static_cast<std::int64_t>(key_b);
    b = right;
    d = left;
    key_a += 0x9E3779B9;
    key_b += 0xBB67AE85;
  }
  low = (a & 0xffffffff) | (b << 32);
  high = (c & 0xffffffff) | (d << 32);
}

/// The 16 random bits of each of 64 entries.
FOVEA_INLINE inline void random_chunk(std::uint64_t key, Index chunk, std::uint16_t (&bits)[kChunk]) {
  constexpr Index kWidth = Lane<double>::kWidth;
#pragma GCC unroll 4
  for (Index first = 0; first < kBlocksAtOnce; first += kWidth) {
    Words counters, low, high;
#pragma GCC unroll 8
    for (int i = 0; i < static_cast<int>(kWidth); ++i) counters[i] = chunk * kBlocksAtOnce + first + i;
    philox_blocks(key, counters, low, high);
    std::memcpy(bits + first * 4, &low, sizeof low);
    std::memcpy(bits + kChunk / 2 + first * 4, &high, sizeof high);
  }
}

template <typename Real>
FOVEA_TARGET void dropout(const Real* x, Index before, Index count, std::uint64_t key, std::uint32_t threshold,
                          Real factor, Real* mask, Real* y) {
  using L = Lane<Real>;
  using V = typename L::V;
  typedef std::uint16_t Halves __attribute__((vector_size(2 * L::kWidth)));
  const typename L::I least = typename L::I{} + static_cast<typename L::Bits>(threshold);
  for (Index chunk = 0; chunk * kChunk < count; ++chunk) {
    alignas(64) std::uint16_t bits[kChunk];
    random_chunk(key, before / kChunk + chunk, bits);
    const Index first = chunk * kChunk;
    each_vector<Real>(std::min(kChunk, count - first), [&](Index j, auto some) FOVEA_LAMBDA {
      Halves halves;
      std::memcpy(&halves, bits + j, sizeof halves);
      const V kept = __builtin_convertvector(halves, typename L::I) < least ? V{} : broadcast<Real>(factor);
      store<Real>(y + first + j, some, load<Real>(x + first + j, some, Real(0)) * kept);
      if (mask) store<Real>(mask + first + j, some, kept);
    });
  }
}
