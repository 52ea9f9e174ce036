#pragma once
/// Logistic or probit regression with a ridge penalty (le Cessie & van Houwelingen 1992) on columns that are centred,
/// scaled and clipped by the rows that teach.

#include <span>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/linear/binary_regression.hpp"

namespace fovea {

/// How columns become comparable, by rows of the past.
struct ColumnScale {
  Vector<double> middle, deviation;  ///< 0: a constant column, which becomes 0
  double clip = 0;                   ///< in deviations; 0: not clipped
  /// A NaN becomes 0, which is the middle.
  Vector<double> scaled(const Vector<double>& row) const;
};

enum class Middle { mean, median };

/// By mean or median, and standard deviation (of the population, about the mean), of the values that are there.
ColumnScale column_scale(const Matrix<double>& columns, std::span<const Index> rows, Middle middle, double clip);

struct ScaledRegressionSettings {
  BinaryLink link = BinaryLink::logit;
  double penalty = 10;  ///< penalty / 2 sum of squared coefficients beside the sum of losses; the intercept has none
  Middle middle = Middle::mean;
  double clip = 0;  ///< of the scaled columns, in deviations; 0: not clipped
};

/// What a regression learned from some rows.
struct ScaledRegression {
  ColumnScale scale;
  Vector<double> coefficients;  ///< of the scaled columns, the intercept last
  BinaryLink link = BinaryLink::logit;
  double linear(const Vector<double>& row) const;  ///< the log-odds of a logit
  double probability(const Vector<double>& row) const { return binary_probability(link, linear(row)); }
};

/// From rows whose outcomes are 0 or 1; weights: one a row of `columns`, or none. Without coefficients where the
/// outcomes are all equal or the loss has no minimum.
ScaledRegression fit_scaled_regression(const Matrix<double>& columns, std::span<const double> outcomes,
                                       std::span<const Index> rows, const ScaledRegressionSettings& settings,
                                       std::span<const double> weights = {});

}  // namespace fovea
