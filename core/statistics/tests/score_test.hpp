#pragma once
/// Does a regressor that was left out of a linear regression belong there? Tests that stand uneven variances.

#include <Eigen/Core>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Columns about their means as Q R, Q orthonormal; those that depend on earlier ones are left out.
struct OrthonormalColumns {
  explicit OrthonormalColumns(const Eigen::MatrixXd& x);
  Eigen::MatrixXd q, r;
  std::vector<Index> kept;  ///< columns of x that Q spans, ascending
};

/// The regression y = c + x b + e, and for a column z beside it, with z' what x and a constant leave of it,
///
///   t = sum_i z'_i e_i / sqrt(sum_i z'_i^2 e_i^2 / (1 - h_i)),   h_i the leverage of row i
///
/// standard normal in large samples where z does nothing, whatever the variances of the rows (the score test of Engle
/// 1984 with the variance of White 1980 and the correction HC2 of MacKinnon & White 1985). A sum over the root of its
/// own squares: where z e is symmetric its tails are no longer than a normal's however heavy those of z and e are
/// (Efron 1969).
class ScoreTest {
 public:
  /// x  rows x columns; y  rows
  ScoreTest(const Eigen::MatrixXd& x, const Eigen::VectorXd& y);

  const Eigen::VectorXd& residuals() const { return residuals_; }
  double variance() const;  ///< of e, with degrees of freedom counted
  /// z' of each column.
  Eigen::MatrixXd left_of(const Eigen::MatrixXd& z) const;
  /// t of each column; 0 where nothing of it is left, or where fewer rows than `carrying`, (sum z'^2)^2 / sum z'^4,
  /// carry it: of few rows whose signs are not even, as of rare rain, the limit does not hold.
  Eigen::VectorXd test(const Eigen::MatrixXd& z, double carrying = 0) const;
  /// n log(residual square / n) + k log n of the regression on the first k columns (Schwarz 1978).
  double criterion(Index k) const;

  /// How noise of measurement on some columns of x shows in e: it makes coefficients too small, so that what older
  /// values forecast of these columns explains some of e. With V the variance of the noise on each of them, x^ the
  /// regression of x on the instruments, and b_m the coefficients of these columns (0 for the others),
  ///
  ///   e = V w + ...,   w = rows x^ (x' x)^-1 b_m
  ///
  /// (Hausman 1978; Fuller 1987, 1.3): V says the order of the noise's variance over what is left of the column's own,
  /// too large where the instruments say little of the column. Returns w', what x leaves of w.
  Eigen::VectorXd attenuation(const OrthonormalColumns& instruments, const std::vector<char>& measured) const;

 private:
  OrthonormalColumns columns_;
  Eigen::VectorXd coordinates_, residuals_, free_;  ///< Q' y;  e;  1 - h
  double square_;                                   ///< of y about its mean
};

}  // namespace fovea
