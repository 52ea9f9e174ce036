#include "fovea/domains/lag/further/kernels/sums.hpp"

namespace fovea::lag::further {

namespace {

using Numbers = Eigen::Map<const Vector<double>>;

}  // namespace

double product_sum(const double* a, const double* b, Index n) { return Numbers(a, n).dot(Numbers(b, n)); }

void window_sums(const double* a, const double* b, const std::vector<Index>& starts, double* sums) {
  for (std::size_t w = 0; w + 1 < starts.size(); ++w)
    sums[w] = product_sum(a + starts[w], b + starts[w], starts[w + 1] - starts[w]);
}

}  // namespace fovea::lag::further
