#include "fovea/core/linear/sparse_tests.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea {

namespace {

/// What the chosen keys leave of the others and of the target: rows of a pivoted Cholesky factor, one a chosen key.
class Remainders {
 public:
  Remainders(const ProductRows& products, const Vector<double>& with_target, double target_square)
      : products_(products),
        left_(products.diagonal()),
        with_target_(with_target),
        target_(target_square),
        whole_(target_square) {}

  bool join(Index key) {
    if (left_[key] <= kLeastLeft * products_.diagonal()[key]) return false;
    Vector<double> row = products_.row(key);
    for (const Vector<double>& earlier : rows_) row -= earlier[key] * earlier;
    const double pivot = 1 / std::sqrt(left_[key]);
    row *= pivot;
    const double slope = with_target_[key] * pivot;
    left_ -= row.cwiseAbs2();
    with_target_ -= slope * row;
    target_ -= slope * slope;
    target_ = left_of_target(target_, whole_);
    left_[key] = 0;
    rows_.push_back(std::move(row));
    return true;
  }

  double correlation(Index key) const {
    if (left_[key] <= kLeastLeft * products_.diagonal()[key] || target_ <= 0) return 0;
    return std::clamp(with_target_[key] / std::sqrt(left_[key] * target_), -1.0, 1.0);
  }
  double target() const { return target_; }

 private:
  const ProductRows& products_;
  Vector<double> left_, with_target_;
  double target_, whole_;
  std::vector<Vector<double>> rows_;
};

double p_value_of(double correlation, double degrees) {
  if (degrees < 1) return 1;
  const double rest = 1 - correlation * correlation;
  return rest <= 0 ? 0 : student_two_sided(correlation * std::sqrt(degrees / rest), degrees);
}

/// The partial correlations of the chosen with the target, each given the other chosen: from the inverse.
void test_chosen(SparseTests& tests, const ProductRows& products, const Vector<double>& with_target,
                 double target_square) {
  const auto count = static_cast<Index>(tests.chosen.size());
  Eigen::MatrixXd inner(count, count);
  Vector<double> slope(count);
  for (Index a = 0; a < count; ++a) {
    const Index key = tests.chosen[a];
    slope[a] = with_target[key];
    const auto row = products.row(key);
    for (Index b = 0; b < count; ++b) inner(a, b) = row[tests.chosen[b]];
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(inner);
  tests.coefficients = factor.solve(slope);
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(count, count));
  for (Index a = 0; a < count; ++a) {
    tests.correlations[tests.chosen[a]] =
        condition_correlation(tests.coefficients[a], 1 / inverse(a, a), tests.residual_square, target_square);
  }
}

}  // namespace

double left_of_target(double square, double target_square) {
  constexpr double kExplained = 1e-12;
  return square > kExplained * target_square ? square : 0.0;
}

double condition_correlation(double coefficient, double left, double residual_square, double target_square) {
  const double gain = left_of_target(coefficient * coefficient * left, target_square);
  return gain > 0 ? std::copysign(std::sqrt(gain / (gain + residual_square)), coefficient) : 0.0;
}

Index SparseTests::degrees(Index key, Index rows) const {
  const bool inside = std::find(chosen.begin(), chosen.end(), key) != chosen.end();
  return rows - 2 - static_cast<Index>(chosen.size()) + (inside ? 1 : 0);
}

SparseTests sparse_tests(const ProductRows& products, const Vector<double>& with_target, double target_square,
                         Index rows, const std::vector<Index>& first, double join_level) {
  const Index keys = with_target.size();
  require(products.size() == keys, "sparse_tests: products are ", products.size(), " x ", products.size(), " for ",
          keys, " keys; they must be as many.");
  SparseTests tests;
  Remainders rest(products, with_target, target_square);
  const std::size_t most = std::max<Index>(rows / 4, 1);
  for (const Index key : first)
    if (tests.chosen.size() < most && rest.join(key)) tests.chosen.push_back(key);
  tests.correlations.resize(keys);
  while (true) {
    for (Index k = 0; k < keys; ++k) tests.correlations[k] = rest.correlation(k);
    Index largest = 0;
    const double r = tests.correlations.cwiseAbs().maxCoeff(&largest);
    const auto degrees = static_cast<double>(rows - 2 - static_cast<Index>(tests.chosen.size()));
    if (tests.chosen.size() >= most || p_value_of(r, degrees) * static_cast<double>(keys) >= join_level) break;
    if (!rest.join(largest)) break;
    tests.chosen.push_back(largest);
  }
  tests.residual_square = rest.target();
  if (!tests.chosen.empty()) test_chosen(tests, products, with_target, target_square);
  return tests;
}

}  // namespace fovea
