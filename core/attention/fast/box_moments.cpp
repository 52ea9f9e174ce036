#include "fovea/core/attention/fast/box_moments.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"

namespace fovea::fast {
namespace {

constexpr Index kMomentOneTask = 4096, kMomentMostChunks = 64;

}  // namespace

double short_number(double most) {
  int exponent = 0;
  const double fraction = std::frexp(most, &exponent);  // in [1/2, 1)
  return std::ldexp(std::floor(fraction * 8), exponent - 3);
}

void BoxMoments::collect(const BoxRow& boxes, const LineKeys& keys) {
  const Index count = static_cast<Index>(keys.positions.size()), size = boxes.count * kBoxSize;
  const Index chunks = std::clamp<Index>(count / std::max(8 * boxes.count, Index{1} << 14), 1, kMomentMostChunks);
  const Index length = (count + chunks - 1) / chunks;
  double *tables = room(tables_, chunks * size), *references = zeros(references_, chunks * boxes.count);
  for_each_task(chunks, count >= kMomentOneTask, [&](Index c) {
    double* table = tables + c * size;
    std::fill(table, table + size, 0.0);
    const Index from = std::min(count, c * length), some = std::min(length, count - from);
    line_kernels().add_moments(boxes, keys.positions.data() + from, keys.values.data() + from,
                               keys.strengths.empty() ? nullptr : keys.strengths.data() + from, some, table,
                               references + c * boxes.count);
  });
  for_each_task(
      boxes.count, chunks > 1,
      [&](Index box) {
        for (Index c = 0; c < chunks; ++c) {
          const double* own = tables + c * size + box * kBoxSize;
          double *sum = tables + box * kBoxSize, reference = references[c * boxes.count + box];
          for (Index k = 0; k < kLineTerms; ++k) {
            const double value = own[kLineTerms + k] + reference * own[k];
            sum[k] = c == 0 ? own[k] : sum[k] + own[k];
            sum[kLineTerms + k] = c == 0 ? value : sum[kLineTerms + k] + value;
          }
        }
      },
      64);
}

}  // namespace fovea::fast
