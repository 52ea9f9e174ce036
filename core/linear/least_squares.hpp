#pragma once
/// Ordinary least squares of many targets on the same regressors, from a matrix of products.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/linear/partial_correlation.hpp"

namespace fovea {

/// y = x b + e for columns of a table of which the products about the means, G, are known: b = G_xx^-1 G_xy. Regressors
/// that depend on earlier ones (ConditioningSet says when) get the coefficient 0 and no test.
class LeastSquares {
 public:
  /// products    G (C x C), symmetric; kept by reference
  /// rows        that G was summed over, >= 1
  /// regressors  columns, each once
  LeastSquares(const Matrix<double>& products, Index rows, std::span<const Index> regressors);

  Index rank() const { return static_cast<Index>(independent_.size()); }
  Index degrees() const { return rows_ - 1 - rank(); }  ///< of freedom that a fit leaves; below 1: no test can be made

  struct Fit {
    Vector<double> coefficients;  ///< of each regressor, as they were given
    double residual = 0;          ///< sum of squares that is left; 0 where it is rounding
  };
  Fit fit(Index target) const;

  /// "This regressor does nothing beside the others": its partial correlation with the target, and Student's t.
  CorrelationTest test(const Fit& fit, Index regressor) const;

  /// "None of these does anything beside the others": Fisher's F with as many degrees as are independent, and
  /// degrees().
  struct GroupTest {
    double f = 0, p_value = 1;
    double log10_p = 0;  ///< also where p_value is too small for a double
  };
  GroupTest test_group(const Fit& fit, std::span<const Index> regressors) const;

 private:
  const Matrix<double>* products_;
  Index rows_, given_;
  std::vector<Index> independent_;  ///< columns
  std::vector<Index> place_;        ///< of each regressor among the independent ones, or -1
  Eigen::MatrixXd inverse_;         ///< of G_xx
};

}  // namespace fovea
