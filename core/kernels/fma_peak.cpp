#include "fovea/core/kernels/fma_peak.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <ctime>

#include "fovea/core/base/matrix.hpp"

namespace fovea {
namespace {

constexpr Index kSteps = 1000000;
constexpr int kChains = 12;  // latency 4 x 2 units = 8 at least are in flight; 12 leave the scheduler room

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float avx512_chains(float factor) {
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

__attribute__((target("avx2,fma"))) float avx2_chains(float factor) {
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

float portable_chains(float factor) {
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

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

FmaLoop fma_loop([[maybe_unused]] InstructionSet set) {
  constexpr double kFlopsPerLane = 2.0 * kChains * kSteps;
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return {&avx512_chains, 16 * kFlopsPerLane};
  if (set == InstructionSet::avx2) return {&avx2_chains, 8 * kFlopsPerLane};
#endif
  return {&portable_chains, 4 * kFlopsPerLane};
}

double measured_fma_peak(InstructionSet set, double seconds) {
  const FmaLoop loop = fma_loop(set);
  volatile float sum = loop.run(0.999F);  // the frequency rises first; the sums are wanted
  const double start = processor_seconds();
  double calls = 0, passed = 0;
  do {
    sum = sum + loop.run(0.999F);
    ++calls;
    passed = processor_seconds() - start;
  } while (passed < seconds);
  return calls * loop.flops / passed / 1e9;
}

}  // namespace fovea
