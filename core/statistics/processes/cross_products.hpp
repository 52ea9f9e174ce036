#pragma once
/// Lagged products of several long series at once.

#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// S_k(i, j) = sum_t x(t, i) x(t - k, j) for k = 0 .. last, both in one
/// recording; x: steps x series, no NaN; starts: first step of each recording,
/// ascending, the first 0. The spectra of blocks of rows are multiplied and
/// summed: O(n N (log last + N)) for n steps of N series, off the sums one by
/// one by rounding of the root of S_0(i, i) S_0(j, j). The same bits for any
/// number of threads.
std::vector<Matrix<double>> lagged_cross_products(const MatrixView<double>& x, const std::vector<Index>& starts,
                                                  Index last);

}  // namespace fovea
