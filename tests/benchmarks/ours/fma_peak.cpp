#include "fovea/tests/benchmarks/ours/fma_peak.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <omp.h>

#include <vector>

#include "fovea/core/kernels/fma_peak.hpp"
#include "fovea/tests/benchmarks/ours/clock.hpp"

namespace fovea::bench {

double fma_peak_of_threads(double seconds) {
  const FmaLoop loop = fma_loop(instruction_set());
  const int threads = omp_get_max_threads();
  std::vector<float> sums(threads);
  const Cost cost = cost_of(seconds, [&] {
#pragma omp parallel for schedule(static, 1)
    for (int t = 0; t < threads; ++t)
      for (int again = 0; again < 8; ++again) sums[t] += loop.run(0.999F);
  });
  volatile float kept = sums.front();  // the sums are wanted
  (void)kept;
  return 8 * loop.flops * threads / (threads == 1 ? cost.processor : cost.wall) / 1e9;
}

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
