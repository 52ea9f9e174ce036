#pragma once
/// Cross-correlations and what they are by chance.

#include <span>
#include <vector>

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::methods {

/// sum over all k of (1 - |k| / n) rho_x(k) rho_y(k): by how much the variance of the cross-correlation of two
/// independent series of n steps exceeds 1 / n (Bartlett 1946), so n / excess is how many pairs they are worth. At
/// least 0.2, so that chance does not promise more than five times the steps. rho: from lag 0, as many of both.
double variance_excess(std::span<const double> rho_x, std::span<const double> rho_y, Index n);

/// The series of a table (steps x series) one after the other in memory.
class SeriesColumns {
 public:
  explicit SeriesColumns(const Matrix<double>& values) : columns_(values.transpose()) {}
  std::span<const double> of(Index series) const {
    return {columns_.row(series).data(), static_cast<std::size_t>(columns_.cols())};
  }

 private:
  Matrix<double> columns_;  // series x steps
};

/// The correlation r of cause(t - lag) and effect(t) over the rows that have both (NaN: none), and its test: Student's
/// t with rows / excess - 2 degrees of freedom; p = 1 where those are fewer than 1, or where a series is constant.
/// excess: variance_excess() of the two; 1 where one of them is noise.
CorrelationTest cross_correlation(std::span<const double> cause, std::span<const double> effect,
                                  std::span<const Index> recording_starts, Index lag, double excess);

}  // namespace fovea::lag::methods
