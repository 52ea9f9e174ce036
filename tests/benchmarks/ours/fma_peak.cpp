#include "fovea/tests/benchmarks/ours/fma_peak.hpp"

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

}  // namespace fovea::bench
