#pragma once
/// Sums of products, each in one fixed order: the same bits for any number of threads.

#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::further {

/// sum over n numbers of a[t] b[t].
double product_sum(const double* a, const double* b, Index n);

/// sums[w] = sum of a[t] b[t] over starts[w] <= t < starts[w + 1].
void window_sums(const double* a, const double* b, const std::vector<Index>& starts, double* sums);

}  // namespace fovea::lag::further
