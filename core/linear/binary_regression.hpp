#pragma once
/// Regression of outcomes 0 and 1: logistic or probit, with weights and a ridge penalty.
///
///   P(y_i = 1) = F(x_i' b),   F(s) = 1 / (1 + e^-s) (logit) or Phi(s) (probit)
///   b minimises  - sum_i w_i log P(y_i) + sum_c d_c b_c^2 / 2                                (le Cessie & van
///   Houwelingen 1992)
///
/// An intercept is a column of ones, unpenalised where its d is 0. Both losses are convex, so that Newton's steps, each
/// halved until the loss falls, find the one minimum.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

enum class BinaryLink { logit, probit };

/// F(s) of a link.
double binary_probability(BinaryLink link, double s);

struct BinaryRegressionSettings {
  BinaryLink link = BinaryLink::logit;
  Vector<double> penalties{};  ///< d, one a column, >= 0; empty: none
  Vector<double> weights{};  ///< w, one a row, >= 0, 0: left out; empty: 1. A weight of 2 is a row that is there twice
  Vector<double> start{};    ///< of the coefficients; empty: 0
  double least_step = 0;     ///< no step is taken that changes no coefficient by more; 0: to the last digits
};

struct BinaryRegression {
  Vector<double> coefficients;
  double log_likelihood = 0;  ///< sum_i w_i log P(y_i), in nats, without the penalty
  /// False: no single minimum was found, and the coefficients are where the search ended. Without a penalty that is so
  /// where a combination of the columns parts the outcomes (all are 1, say), and where a column depends on others (to
  /// 1e-12 of its square).
  bool minimum = true;
};

/// columns (N x C) finite, outcomes (N) in {0, 1}. Throws ArgumentError for shapes and values out of range.
BinaryRegression fit_binary_regression(const Matrix<double>& columns, std::span<const double> outcomes,
                                       const BinaryRegressionSettings& settings = {});

/// (X' W X + D)^-1 at coefficients, W from the second derivatives: without a penalty the covariance of the estimates;
/// the roots of its diagonal are their standard errors.
Matrix<double> binary_covariance(const Matrix<double>& columns, std::span<const double> outcomes,
                                 const Vector<double>& coefficients, const BinaryRegressionSettings& settings = {});

}  // namespace fovea
