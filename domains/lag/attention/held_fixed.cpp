#include "fovea/domains/lag/attention/held_fixed.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/tests/score_test.hpp"

namespace fovea::lag::attention {

HeldFixed::HeldFixed(const Matrix<double>& conditions, Index steps) {
  if (conditions.cols() == 0) return;
  require(conditions.rows() == steps, "attention over the past: the conditions have ", conditions.rows(),
          " rows; the table has ", steps, ".");
  basis_ = OrthonormalColumns(conditions).q;
}

void HeldFixed::take_out_of(Eigen::Ref<Vector<double>> x) const {
  if (rank() > 0) x -= basis_ * (basis_.transpose() * x);
}

/// By a regression on the known rows alone, on which the basis is not orthogonal.
Matrix<double> HeldFixed::taken_out_of_known(const Matrix<double>& values) const {
  Matrix<double> left = values;
  if (rank() == 0) return left;
  for (Index s = 0; s < values.cols(); ++s) {
    std::vector<Index> known;
    for (Index t = 0; t < values.rows(); ++t)
      if (!std::isnan(values(t, s))) known.push_back(t);
    if (std::ssize(known) <= rank() + 1) continue;
    Eigen::MatrixXd x(std::ssize(known), rank() + 1);
    Eigen::VectorXd y(x.rows());
    for (Index r = 0; r < x.rows(); ++r) {
      x.row(r) << 1, basis_.row(known[r]);
      y[r] = values(known[r], s);
    }
    const Eigen::VectorXd fit = x * (x.transpose() * x).ldlt().solve(x.transpose() * y);
    for (Index r = 0; r < x.rows(); ++r) left(known[r], s) -= fit[r];
  }
  return left;
}

}  // namespace fovea::lag::attention
