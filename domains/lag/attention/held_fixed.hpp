#pragma once
/// Columns that are conditions of every regression, such as a season's harmonics.

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::attention {

/// What least squares on the conditions and a constant leaves of a column. A regression on what is left of all columns
/// is the regression that has the conditions among its own (Frisch & Waugh 1933; Lovell 1963), with rank() degrees of
/// freedom fewer. For lagged columns this holds because a course that is moved in time is of the same kind: another
/// phase of a season, a trend of the same order, and a step that is moved with its series.
class HeldFixed {
 public:
  HeldFixed() = default;
  /// conditions  steps x columns, finite; those that depend on others are left out. No columns: nothing is held fixed.
  /// Throws ArgumentError for another number of rows.
  HeldFixed(const Matrix<double>& conditions, Index steps);

  Index rank() const { return basis_.cols(); }
  void take_out_of(Eigen::Ref<Vector<double>> x) const;
  /// Each column less its least-squares fit over the steps where it is known; NaN stays.
  Matrix<double> taken_out_of_known(const Matrix<double>& values) const;

 private:
  Eigen::MatrixXd basis_;  ///< steps x rank: orthonormal, each column of mean 0
};

}  // namespace fovea::lag::attention
