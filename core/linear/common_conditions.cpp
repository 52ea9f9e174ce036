#include "fovea/core/linear/common_conditions.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

using Factor = Eigen::LLT<Matrix<double>>;

Matrix<double> rows_of(const ProductRows& products, const std::vector<Index>& keys) {
  Matrix<double> rows(static_cast<Index>(keys.size()), products.size());
  for (Index a = 0; a < rows.rows(); ++a) rows.row(a) = products.row(keys[a]).transpose();
  return rows;
}

/// Where the conditions do not depend on each other one factorisation tells so.
bool independent(const Factor& factor, const Matrix<double>& block) {
  return factor.info() == Eigen::Success &&
         (Matrix<double>(factor.matrixL()).diagonal().array().square() > kLeastLeft * block.diagonal().array()).all();
}

}  // namespace

CommonConditions::CommonConditions(const ProductRows& products, const std::vector<Index>& conditions)
    : chosen_(conditions), squares_(products.diagonal()) {
  Matrix<double> rows = rows_of(products, chosen_);
  Matrix<double> block = rows(Eigen::all, chosen_);
  Factor factor(block);
  if (!independent(factor, block)) {
    const Index keys = products.size();
    chosen_ = sparse_tests(products, Vector<double>::Zero(keys), 0, 4 * keys, conditions, 0.0).chosen;
    rows = rows_of(products, chosen_);
    block = rows(Eigen::all, chosen_);
    factor.compute(block);
  }
  factor_ = factor.matrixL();
  const auto count = static_cast<Index>(chosen_.size());
  projections_ = factor.matrixL().solve(rows);
  left_ = squares_ - projections_.colwise().squaredNorm().transpose();
  const Matrix<double> inverse_factor = factor.matrixL().solve(Matrix<double>::Identity(count, count));
  for (Index c = 0; c < count; ++c) left_[chosen_[c]] = 1 / inverse_factor.col(c).squaredNorm();
}

SparseTests CommonConditions::test(const Vector<double>& with_target, double target_square) const {
  const Index keys = squares_.size();
  require(with_target.size() == keys, "common conditions: there are ", keys, " keys, but products of ",
          with_target.size(), " with the target.");
  SparseTests tests;
  tests.chosen = chosen_;
  Vector<double> slope(static_cast<Index>(chosen_.size()));
  for (Index c = 0; c < slope.size(); ++c) slope[c] = with_target[chosen_[c]];
  const auto lower = factor_.triangularView<Eigen::Lower>();
  slope = lower.solve(slope).eval();
  tests.residual_square = left_of_target(target_square - slope.squaredNorm(), target_square);
  tests.coefficients = lower.transpose().solve(slope);
  const Vector<double> rest = with_target - projections_.transpose() * slope;
  tests.correlations.resize(keys);
  for (Index key = 0; key < keys; ++key) {
    const bool tells = left_[key] > kLeastLeft * squares_[key] && tests.residual_square > 0;
    tests.correlations[key] =
        tells ? std::clamp(rest[key] / std::sqrt(left_[key] * tests.residual_square), -1.0, 1.0) : 0.0;
  }
  for (Index c = 0; c < slope.size(); ++c) {
    const Index key = chosen_[c];
    tests.correlations[key] =
        condition_correlation(tests.coefficients[c], left_[key], tests.residual_square, target_square);
  }
  return tests;
}

}  // namespace fovea
