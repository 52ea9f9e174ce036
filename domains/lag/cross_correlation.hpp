#pragma once
/// Cross-correlations and what they are by chance.

#include <span>
#include <vector>

#include "fovea/domains/lag/findings.hpp"

namespace fovea::lag {

/// sum over all k of (1 - |k| / n) rho_x(k) rho_y(k): by how much the variance of the cross-correlation of two
/// independent series of n steps exceeds 1 / n (Bartlett 1946), so n / excess is how many pairs they are worth. At
/// least 0.2, so that chance does not promise more than five times the steps. rho: from lag 0, as many of both.
double variance_excess(std::span<const double> rho_x, std::span<const double> rho_y, Index n);

/// Series by series, for a column of values with gaps.
struct CrossCorrelation {
  double r = 0;           ///< of x(t - lag) and y(t), over the rows that have both
  double half_width = 0;  ///< of the interval about 0 that independent series stay in with 95 %
  double t = 0;           ///< Student's, with rows / excess - 2 degrees of freedom
  double p_value = 1;     ///< 1 where those are fewer than 1, or where a series is constant
};

/// excess: variance_excess() of the two; 1 where one of them is noise.
CrossCorrelation cross_correlation(const Matrix<double>& values, std::span<const Index> recording_starts, Index cause,
                                   Index effect, Index lag, double excess);

}  // namespace fovea::lag
