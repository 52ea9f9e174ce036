#pragma once
/// Sums of products, each in one fixed order: the same bits for any number of threads.

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::further {

/// sum over n numbers of a[t] b[t].
double product_sum(const double* a, const double* b, Index n);

/// Adds the sum over n numbers of p = a[t] b[t] to `products`, that of p^2 to `squares`.
void add_products(const double* a, const double* b, Index n, double& products, double& squares);

}  // namespace fovea::lag::further
