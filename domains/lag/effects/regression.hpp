#pragma once
/// One target's regression on what was found to drive it, by ordinary least squares, with errors that hold where the
/// residuals vary in size and remember one another.

#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::effects {

/// A series as it was some steps ago.
struct Regressor {
  Index series = 0, lag = 0;
  bool operator==(const Regressor&) const = default;
};

/// The rows at which the target and every regressor are known.
struct Design {
  std::vector<Index> times;      ///< rows of the table, ascending
  std::vector<Index> recording;  ///< of each row
  Eigen::MatrixXd x;             ///< rows x (regressors, then conditions), about their means, of unit mean square
  Eigen::VectorXd y;             ///< the target about its mean
  Eigen::VectorXd scale;         ///< what each column was divided by; 1 for a constant one
  Index rows() const { return y.size(); }
};

/// conditions: steps x columns, finite; may be empty.
Design design_of(const datasets::series::SeriesTable& table, Index target, const std::vector<Regressor>& regressors,
                 const Matrix<double>& conditions);

struct Regression {
  std::vector<Index> kept;     ///< columns; one that depends on earlier ones has the coefficient 0 and no error
  Eigen::VectorXd slope;       ///< of every column of the design
  Eigen::MatrixXd inverse;     ///< of x'x of the kept columns
  Eigen::MatrixXd covariance;  ///< of the slopes of the kept columns
  Eigen::VectorXd residual;
  Index degrees = 0;  ///< of freedom, >= 1
};

/// y = x slope + residual, the rows before `stop` alone. kept, slope, inverse, residual, degrees.
Regression least_squares_of(const Design& design, Index stop);

/// Covariance of sums of the rows of `scores` that remember one another up to `bandwidth` steps of one recording:
///
///   S = sum_t s_t s_t' + sum_(l = 1 .. m) (1 - l / (m + 1)) sum_t (s_t s_(t-l)' + s_(t-l) s_t')
///
/// (Newey & West 1987, eq. 5), computed as the mean of squares of sums over m + 1 successive steps, which it equals.
Eigen::MatrixXd long_run_covariance(const Eigen::MatrixXd& scores, const Design& design, Index bandwidth);

/// m = floor(4 (rows / 100)^(2 / 9)) (Newey & West 1994).
Index bandwidth_of(Index rows);

/// Sets covariance: that of inverse x_t e_t with bandwidth_of(rows), times rows / degrees.
void add_covariance(const Design& design, Regression& regression);

/// t of a further column given those of the regression, with the same errors; NaN where it depends on them.
double added_t(const Design& design, const Regression& regression, const Eigen::VectorXd& column);

}  // namespace fovea::lag::effects
