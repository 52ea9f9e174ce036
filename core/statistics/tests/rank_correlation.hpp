#pragma once
/// Correlation of ranks.

#include <span>
#include <vector>

namespace fovea {

/// The rank of each value, from 1; equal values share the mean of their ranks. NaN: throws ArgumentError.
std::vector<double> ranks(std::span<const double> values);

/// Spearman's rho: the correlation of the ranks (Spearman 1904), in [-1, 1]. NaN where one side has no two different
/// values. Both sides of the same length, at least 2; throws ArgumentError.
double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace fovea
