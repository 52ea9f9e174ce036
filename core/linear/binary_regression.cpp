#include "fovea/core/linear/binary_regression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/weighted_rows.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea {

namespace {

/// What an outcome adds at a linear part s: -log P(y), its fall -d/ds and its second derivative.
struct OutcomeLoss {
  double value = 0, downhill = 0, curvature = 0;
};

double logit_loss(double y, double s) { return std::max(s, 0.0) - y * s + logarithm(1 + exponential(-std::abs(s))); }

/// phi(s) / Phi(s), also where both vanish: there the continued fraction of the tail (Abramowitz & Stegun
/// 1964, 26.2.14).
double inverse_mills_ratio(double s) {
  constexpr double kTail = -8;
  constexpr int kTerms = 40;
  if (s > kTail) return std::exp(-s * s / 2) / std::sqrt(2 * std::numbers::pi) / normal_cdf(s);
  double rest = -s;
  for (int k = kTerms; k > 0; --k) rest = -s + k / rest;
  return rest;
}

/// log Phi(s) = -s^2 / 2 - log(sqrt(2 pi)) - log of the ratio in the tail.
double log_normal_cdf(double s) {
  if (s > -8) return s > 0 ? std::log1p(-normal_cdf(-s)) : std::log(normal_cdf(s));
  return -s * s / 2 - std::log(2 * std::numbers::pi) / 2 - std::log(inverse_mills_ratio(s));
}

double loss_value(BinaryLink link, double y, double s) {
  return link == BinaryLink::logit ? logit_loss(y, s) : -log_normal_cdf(y > 0 ? s : -s);
}

OutcomeLoss outcome_loss(BinaryLink link, double y, double s) {
  if (link == BinaryLink::logit) {
    const double p = binary_probability(link, s);
    return {loss_value(link, y, s), y - p, p * (1 - p)};
  }
  const double sign = y > 0 ? 1 : -1, ratio = inverse_mills_ratio(sign * s);
  return {loss_value(link, y, s), sign * ratio, ratio * std::max(0.0, ratio + sign * s)};
}

/// The question with what was left empty filled in.
struct BinaryProblem {
  const Matrix<double>& columns;
  std::span<const double> outcomes;
  BinaryLink link;
  Vector<double> penalties, weights;

  /// - sum_i w_i log P(y_i)
  double outcome_losses(const Vector<double>& b) const {
    const Vector<double> s = linear_part(columns, b);
    double loss = 0;
    for (Index i = 0; i < s.size(); ++i) loss += weights[i] * loss_value(link, outcomes[i], s[i]);
    return loss;
  }

  double loss(const Vector<double>& b) const {
    double loss = outcome_losses(b);
    for (Index c = 0; c < b.size(); ++c) loss += penalties[c] * b[c] * b[c] / 2;
    return loss;
  }

  /// Of each row: w times the fall of its loss, and its curvature.
  std::pair<Vector<double>, Vector<double>> derivatives(const Vector<double>& b) const {
    const Vector<double> s = linear_part(columns, b);
    Vector<double> downhill(s.size()), curvature(s.size());
    for (Index i = 0; i < s.size(); ++i) {
      const OutcomeLoss at = outcome_loss(link, outcomes[i], s[i]);
      downhill[i] = weights[i] * at.downhill;
      curvature[i] = weights[i] * at.curvature;
    }
    return {std::move(downhill), std::move(curvature)};
  }
};

struct NewtonStep {
  Vector<double> step;
  bool small = false;  ///< it changes no linear part by more than kSmall, and all coefficients are determined
};

/// (X' W X + D)^-1 (X' (falls) - D b).
NewtonStep newton_step_of(const BinaryProblem& problem, const Vector<double>& b) {
  constexpr double kSmall = 1e-3;       // from there each step has twice as many right digits as the last
  constexpr double kDependent = 1e-12;  // of a column's own square: rounding is all that others leave of it
  const auto [downhill, curvature] = problem.derivatives(b);
  Matrix<double> products = weighted_products(problem.columns, curvature);
  products.diagonal() += problem.penalties;
  const auto factors = products.selfadjointView<Eigen::Lower>().ldlt();
  NewtonStep newton{factors.solve(weighted_sum(problem.columns, downhill) - problem.penalties.cwiseProduct(b))};
  const Vector<double> own = factors.transpositionsP() * products.diagonal();
  const bool determined = (factors.vectorD().array() > kDependent * own.array()).all();
  newton.small = determined && linear_part(problem.columns, newton.step).cwiseAbs().maxCoeff() <= kSmall;
  return newton;
}

void check_regression(const Matrix<double>& columns, std::span<const double> outcomes,
                      const BinaryRegressionSettings& settings) {
  const char* who = "fit_binary_regression";
  require(columns.rows() > 0 && columns.cols() > 0 && columns.rows() == std::ssize(outcomes), who, ": the columns are ",
          columns.rows(), " x ", columns.cols(), " for ", outcomes.size(),
          " outcomes; each row needs one, and at least one row and one column are needed.");
  require(columns.allFinite(), who, ": a value of the columns is not finite; leave out its row.");
  for (const double y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
  const auto check = [&](const Vector<double>& v, Index size, const char* what, const char* of, double least) {
    require(v.size() == 0 || v.size() == size, who, ": there are ", v.size(), " ", what, " for ", size, " ", of,
            "; as many are needed, or none.");
    for (const double x : v)
      require(std::isfinite(x) && x >= least, who, ": among the ", what, " is ", x, "; each must be finite",
              least == 0 ? " and at least 0." : ".");
  };
  check(settings.penalties, columns.cols(), "penalties", "columns", 0);
  check(settings.weights, columns.rows(), "weights", "rows", 0);
  check(settings.start, columns.cols(), "coefficients to start from", "columns", -INFINITY);
}

BinaryProblem problem_of(const Matrix<double>& columns, std::span<const double> outcomes,
                         const BinaryRegressionSettings& settings) {
  check_regression(columns, outcomes, settings);
  BinaryProblem problem{columns, outcomes, settings.link, settings.penalties, settings.weights};
  if (problem.penalties.size() == 0) problem.penalties = Vector<double>::Zero(columns.cols());
  if (problem.weights.size() == 0) problem.weights = Vector<double>::Ones(columns.rows());
  return problem;
}

}  // namespace

double binary_probability(BinaryLink link, double s) {
  if (link == BinaryLink::probit) return normal_cdf(s);
  return s >= 0 ? 1 / (1 + exponential(-s)) : exponential(s) / (1 + exponential(s));
}

BinaryRegression fit_binary_regression(const Matrix<double>& columns, std::span<const double> outcomes,
                                       const BinaryRegressionSettings& settings) {
  constexpr int kMostSteps = 100, kMostHalvings = 30;
  constexpr int kMostUnseen = 4;  // small steps, whose gain rounding may hide
  const BinaryProblem problem = problem_of(columns, outcomes, settings);
  BinaryRegression fit{settings.start.size() > 0 ? settings.start : Vector<double>::Zero(columns.cols())};
  double loss = problem.loss(fit.coefficients);
  for (int k = 0, unseen = 0; k < kMostSteps && unseen < kMostUnseen; ++k) {
    auto [step, small] = newton_step_of(problem, fit.coefficients);
    fit.minimum = small;
    if (!(step.cwiseAbs().maxCoeff() > settings.least_step)) break;
    if (small && settings.least_step == 0) {
      fit.coefficients += step;
      ++unseen;
      continue;
    }
    double next = problem.loss(fit.coefficients + step);
    for (int h = 0; h < kMostHalvings && !(next < loss); ++h) {
      step /= 2;
      next = problem.loss(fit.coefficients + step);
    }
    if (!(next < loss)) break;
    fit.coefficients += step;
    loss = next;
  }
  if (!fit.minimum && settings.start.size() > 0 && fit.coefficients == settings.start) {  // no step helped
    BinaryRegressionSettings from_zero = settings;
    from_zero.start.resize(0);
    return fit_binary_regression(columns, outcomes, from_zero);
  }
  fit.log_likelihood = -problem.outcome_losses(fit.coefficients);
  return fit;
}

Matrix<double> binary_covariance(const Matrix<double>& columns, std::span<const double> outcomes,
                                 const Vector<double>& coefficients, const BinaryRegressionSettings& settings) {
  const BinaryProblem problem = problem_of(columns, outcomes, settings);
  require(coefficients.size() == columns.cols(), "binary_covariance: there are ", coefficients.size(),
          " coefficients for ", columns.cols(), " columns; as many are needed.");
  Matrix<double> products = weighted_products(columns, problem.derivatives(coefficients).second);
  products.diagonal() += problem.penalties;
  return products.selfadjointView<Eigen::Lower>().ldlt().solve(
      Eigen::MatrixXd::Identity(columns.cols(), columns.cols()));
}

}  // namespace fovea
