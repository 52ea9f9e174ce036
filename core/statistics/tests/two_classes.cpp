#include "fovea/core/statistics/tests/two_classes.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "fovea/core/base/error.hpp"

namespace fovea {

double two_class_cut(std::span<const double> values) {
  require(values.size() >= 2, "two_class_cut: there are ", values.size(), " numbers, but must be at least 2.");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double low_sum = 0, greatest = -1, cut = sorted.front();
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    low_sum += sorted[k - 1];
    const auto low = static_cast<double>(k), high = static_cast<double>(sorted.size() - k);
    const double apart = low_sum / low - (sum - low_sum) / high;
    if (low * high * apart * apart <= greatest) continue;
    greatest = low * high * apart * apart;
    cut = sorted[k - 1] + 0.5 * (sorted[k] - sorted[k - 1]);
  }
  return cut;
}

}  // namespace fovea
