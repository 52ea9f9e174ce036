#include "fovea/core/linear/least_squares.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea {

namespace {

constexpr double kAllExplained = 1e-12;  // of a target's square: rounding, as in ConditioningSet

}  // namespace

LeastSquares::LeastSquares(const Matrix<double>& products, Index rows, std::span<const Index> regressors)
    : products_(&products), rows_(rows), given_(static_cast<Index>(regressors.size())) {
  require(rows >= 1, "LeastSquares: there are ", rows, " rows, but must be at least 1.");
  ConditioningSet set(products);
  for (const Index column : regressors) {
    const bool counts = set.join(column);
    place_.push_back(counts ? rank() : -1);
    if (counts) independent_.push_back(column);
  }
  Eigen::MatrixXd gram(rank(), rank());
  for (Index a = 0; a < rank(); ++a)
    for (Index b = 0; b < rank(); ++b) gram(a, b) = products(independent_[a], independent_[b]);
  const Eigen::VectorXd scale = gram.diagonal().cwiseSqrt();  // so that units do not matter
  gram = (scale.cwiseInverse().asDiagonal() * gram * scale.cwiseInverse().asDiagonal()).eval();
  inverse_ = Eigen::MatrixXd::Identity(rank(), rank());
  Eigen::LLT<Eigen::MatrixXd>(gram).solveInPlace(inverse_);
  inverse_ = (scale.cwiseInverse().asDiagonal() * inverse_ * scale.cwiseInverse().asDiagonal()).eval();
}

LeastSquares::Fit LeastSquares::fit(Index target) const {
  Vector<double> with(rank());
  for (Index k = 0; k < rank(); ++k) with[k] = (*products_)(independent_[k], target);
  const Vector<double> b = inverse_ * with;
  const double whole = (*products_)(target, target), left = whole - b.dot(with);
  Fit found{Vector<double>::Zero(given_), left > kAllExplained * whole ? left : 0.0};
  for (Index k = 0; k < given_; ++k)
    if (const Index at = place_[k]; at >= 0) found.coefficients[k] = b[at];
  return found;
}

CorrelationTest LeastSquares::test(const Fit& fit, Index regressor) const {
  const Index at = place_[regressor];
  if (at < 0 || degrees() < 1 || fit.residual == 0) return test_correlation(0, rows_, rank() - 1);
  const double b = fit.coefficients[regressor], effect = b * b / inverse_(at, at);
  const double r = std::copysign(std::sqrt(effect / (effect + fit.residual)), b);  // t^2 = d r^2 / (1 - r^2)
  return test_correlation(std::clamp(r, -1.0, 1.0), rows_, rank() - 1);
}

LeastSquares::GroupTest LeastSquares::test_group(const Fit& fit, std::span<const Index> regressors) const {
  std::vector<Index> places;
  std::vector<double> coefficients;
  for (const Index regressor : regressors)
    if (const Index at = place_[regressor]; at >= 0) {
      places.push_back(at);
      coefficients.push_back(fit.coefficients[regressor]);
    }
  if (places.empty() || degrees() < 1 || fit.residual == 0) return {};
  const auto size = static_cast<Index>(places.size());
  Eigen::MatrixXd block(size, size);
  for (Index a = 0; a < size; ++a)
    for (Index b = 0; b < size; ++b) block(a, b) = inverse_(places[a], places[b]);
  const Eigen::Map<const Eigen::VectorXd> b(coefficients.data(), size);
  const double effect = b.dot(Eigen::LLT<Eigen::MatrixXd>(block).solve(b));  // what leaving them out would add
  GroupTest test;
  test.f = std::max(0.0, effect / static_cast<double>(size) / (fit.residual / static_cast<double>(degrees())));
  test.p_value = fisher_upper(test.f, static_cast<double>(size), static_cast<double>(degrees()));
  test.log10_p = log10_fisher_upper(test.f, static_cast<double>(size), static_cast<double>(degrees()));
  return test;
}

}  // namespace fovea
