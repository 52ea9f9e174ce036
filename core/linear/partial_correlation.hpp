#pragma once
/// Partial correlations from a matrix of products, with conditions that come and go.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// A set Z of columns to condition on, as a Cholesky factor of G_ZZ that grows and shrinks with it.
///
///   residual product of x and y:  G_xy - G_xZ G_ZZ^-1 G_Zy
///
/// the sum of products of what least squares on Z leaves of both (with an intercept, where G is about means). Joining
/// and leaving cost O(|Z|^2), a product O(|Z|^2).
///
/// Where columns depend on each other the results are still defined: a column of which the set leaves less than 1e-12
/// of its square (a constant, a duplicate, a sum of others) joins without effect: rank() does not count it, and it
/// steps in when one that it depends on leaves. What is left of such a column is 0, and so is its partial correlation
/// with any other. G's own rounding, about 1e-15 times the square of the columns' condition number, is what limits the
/// digits.
class ConditioningSet {
 public:
  /// products  G (C x C), symmetric, positive semidefinite; kept by reference
  explicit ConditioningSet(const Matrix<double>& products) : products_(&products) {}

  /// False: it depends on those that are in the set. Throws ArgumentError for a column that is in it already.
  bool join(Index column);
  /// Throws ArgumentError for a column that is not in the set.
  void leave(Index column);
  bool contains(Index column) const;
  void clear();

  Index size() const { return rank() + static_cast<Index>(dependent_.size()); }
  Index rank() const { return static_cast<Index>(columns_.size()); }
  /// Those that count, in the order in which they came to.
  std::span<const Index> independent() const { return columns_; }

  /// A column as the set sees it: to be asked about with several others without O(|Z|^2) for each.
  struct Projection {
    Index column = 0;
    std::vector<double> onto;  ///< L^-1 G_Zx
    double left = 0;           ///< sum of squares of what the set leaves of the column; 0 where that is rounding
  };
  Projection project(Index column) const;

  double residual_product(const Projection& x, const Projection& y) const;
  double residual_product(Index x, Index y) const { return residual_product(project(x), project(y)); }
  /// In [-1, 1]; 0 where nothing is left of x or y, such as for a column of the set.
  double partial_correlation(const Projection& x, const Projection& y) const;
  double partial_correlation(Index x, Index y) const { return partial_correlation(project(x), project(y)); }

 private:
  bool append(Index column);

  const Matrix<double>* products_;
  std::vector<Index> columns_, dependent_;
  std::vector<double> factor_;  ///< L row by row: row r has r + 1 numbers
};

/// The partial correlation of columns x and y given others, once.
double partial_correlation(const Matrix<double>& products, Index x, Index y, std::span<const Index> given);

/// r sqrt(d / (1 - r^2)), infinite for |r| = 1.
double student_t(double correlation, double degrees);

/// The test of "no partial correlation" for normal residuals (Fisher 1924): t = r sqrt(d / (1 - r^2)) is Student's with
/// d = rows - 2 - conditions degrees of freedom.
struct CorrelationTest {
  double correlation = 0;
  double t = 0;        ///< infinite for |r| = 1
  double p_value = 1;  ///< two-sided; 1 where d < 1: so few rows say nothing
  Index degrees = 0;   ///< d, below 1 where there are too few rows
};
CorrelationTest test_correlation(double correlation, Index rows, Index conditions);

}  // namespace fovea
