#include "fovea/tests/benchmarks/ours/fma_peak.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif
#include <omp.h>

#include <vector>

#include "fovea/tests/benchmarks/ours/clock.hpp"

namespace fovea::bench {
namespace {

constexpr Index kSteps = 1000000;  // a quarter of a millisecond or more
constexpr int kChains = 12;        // latency 4 x 2 units = 8 at least are in flight; 12 leave the scheduler room

/// A loop gives back its sum, so that no compiler drops it; flops counts those of one call.
struct Loop {
  float (*run)(float factor);
  double flops;
  std::string_view vectors;
};

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float avx512_loop(float factor) {
  __m512 chain[kChains];
  for (__m512& c : chain) c = _mm512_set1_ps(factor);
  const __m512 a = _mm512_set1_ps(factor), b = _mm512_set1_ps(0.5F);
  for (Index step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chain[c] = _mm512_fmadd_ps(chain[c], a, b);
  }
  __m512 sum = chain[0];
  for (const __m512& c : chain) sum = _mm512_add_ps(sum, c);
  float lanes[16];
  _mm512_storeu_ps(lanes, sum);
  return lanes[0];
}

__attribute__((target("avx2,fma"))) float avx2_loop(float factor) {
  __m256 chain[kChains];
  for (__m256& c : chain) c = _mm256_set1_ps(factor);
  const __m256 a = _mm256_set1_ps(factor), b = _mm256_set1_ps(0.5F);
  for (Index step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chain[c] = _mm256_fmadd_ps(chain[c], a, b);
  }
  __m256 sum = chain[0];
  for (const __m256& c : chain) sum = _mm256_add_ps(sum, c);
  return _mm256_cvtss_f32(sum);
}
#endif

float portable_loop(float factor) {
  typedef float Lanes __attribute__((vector_size(16)));
  Lanes chain[kChains];
  for (Lanes& c : chain) c = Lanes{factor, factor, factor, factor};
  for (Index step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chain[c] = chain[c] * factor + 0.5F;
  }
  Lanes sum = chain[0];
  for (const Lanes& c : chain) sum += c;
  return sum[0];
}

Loop widest_loop() {
  constexpr double kFlopsPerLane = 2.0 * kChains * kSteps;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {&avx512_loop, 16 * kFlopsPerLane, "AVX-512"};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {&avx2_loop, 8 * kFlopsPerLane, "AVX2"};
#endif
  return {&portable_loop, 4 * kFlopsPerLane, "portable"};
}

}  // namespace

double measured_fma_peak(double seconds) {
  const Loop loop = widest_loop();
  const int threads = omp_get_max_threads();
  std::vector<float> sums(static_cast<std::size_t>(threads));
  const Cost cost = cost_of(seconds, [&] {
#pragma omp parallel for schedule(static, 1)
    for (int t = 0; t < threads; ++t)
      for (int again = 0; again < 8; ++again) sums[static_cast<std::size_t>(t)] += loop.run(0.999F);
  });
  volatile float kept = sums.front();  // the sums are wanted
  (void)kept;
  return 8 * loop.flops * threads / (threads == 1 ? cost.processor : cost.wall) / 1e9;
}

std::string_view fma_vectors() { return widest_loop().vectors; }

bool has_amx() {
#if defined(__x86_64__)
  constexpr unsigned kAmxBf16 = 1U << 22, kAmxTile = 1U << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kAmxBf16) != 0 && (d & kAmxTile) != 0;
#else
  return false;
#endif
}

}  // namespace fovea::bench
