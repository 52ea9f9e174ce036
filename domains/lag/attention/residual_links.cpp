#include "fovea/domains/lag/attention/residual_links.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/attention/row_tests.hpp"

namespace fovea::lag::attention {

namespace {

// With fewer, ordinary links are as common as a factor: theory.md, step 6.
constexpr Index kLeastSeries = 8;

/// Correlation over the rows where both are known, summed in the order of time.
std::pair<double, Index> common_correlation(const Matrix<double>& x, Index i, Index j) {
  double n = 0, si = 0, sj = 0, sii = 0, sjj = 0, sij = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    const double a = x(t, i), b = x(t, j);
    if (std::isnan(a) || std::isnan(b)) continue;
    n += 1, si += a, sj += b, sii += a * a, sjj += b * b, sij += a * b;
  }
  if (n < 3) return {0, static_cast<Index>(n)};
  const double vi = sii - si * si / n, vj = sjj - sj * sj / n;
  const bool constant = vi <= 1e-12 * n || vj <= 1e-12 * n;
  return {constant ? 0 : (sij - si * sj / n) / std::sqrt(vi * vj), static_cast<Index>(n)};
}

void enter_pair(methods::Link& link, double t, double degrees) {
  link.statistic = t;
  link.p_value = degrees < 1 ? 1 : student_two_sided(t, degrees);
  link.log10_p = methods::too_small(link.p_value) ? log10_student_two_sided(t, degrees) : kNan;
}

methods::Link link_of_pair(const Eigen::MatrixXd& inverse, Index rows, Index i, Index j) {
  const double r = std::clamp(-inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j)), -1.0, 1.0);
  const CorrelationTest test = test_correlation(r, rows, inverse.cols() - 2);
  methods::Link link{i, j, 0, r, test.t, test.p_value};
  link.directed = false;
  link.test = methods::DecidingTest::student;
  enter_pair(link, test.t, static_cast<double>(test.degrees));
  return link;
}

/// Residuals in units of their deviation about their mean; 0 where unknown.
Eigen::MatrixXd standardised_residuals(const Matrix<double>& residuals) {
  Eigen::MatrixXd x = residuals;
  for (Index s = 0; s < x.cols(); ++s) {
    const auto known = [](double v) { return !std::isnan(v); };
    const double count = static_cast<double>(std::count_if(x.col(s).begin(), x.col(s).end(), known));
    const double mean = x.col(s).array().isNaN().select(0.0, x.col(s).array()).sum() / std::max(count, 1.0);
    x.col(s) = x.col(s).array().isNaN().select(0.0, x.col(s).array() - mean);
    const double deviation = std::sqrt(x.col(s).squaredNorm() / std::max(count, 1.0));
    if (deviation > 0) x.col(s) /= deviation;
  }
  return x;
}

/// What the others leave of residuals i and j: (P_ij block)^-1 of the columns i and j of x P, P the inverse of the
/// correlations.
void confirm_pairs(std::vector<methods::Link>& links, const Eigen::MatrixXd& inverse, const Matrix<double>& residuals) {
  const Eigen::MatrixXd x = standardised_residuals(residuals), given_all = x * inverse;
  for (methods::Link& link : links) {
    if (link.p_value > kWorthConfirming) continue;
    const Index i = link.cause, j = link.effect;
    const double a = inverse(i, i), b = inverse(i, j), c = inverse(j, j), det = a * c - b * b;
    if (!(det > 0)) continue;
    Vector<double> u = (c * given_all.col(i) - b * given_all.col(j)) / det;
    Vector<double> e = (a * given_all.col(j) - b * given_all.col(i)) / det;
    for (Index t = 0; t < u.size(); ++t)
      if (std::isnan(residuals(t, i)) || std::isnan(residuals(t, j))) u[t] = e[t] = 0;
    const double r = link.strength, degrees = link.statistic * link.statistic * (1 - r * r) / (r * r);
    const Index whole = std::max<Index>(static_cast<Index>(std::lround(degrees)), 1);
    const RowsTest rows = rows_test(u, e, whole, {});  // ranks of what is left mislead
    if (rows.p_value <= link.p_value) continue;
    link.statistic = rows.t;
    link.p_value = rows.p_value;
    link.test = rows.decided;
    link.log10_p = methods::too_small(rows.p_value) ? log10_student_two_sided(rows.t, degrees) : kNan;
  }
}

}  // namespace

ResidualCorrelations residual_correlations(const Matrix<double>& residuals) {
  const Index series = residuals.cols();
  ResidualCorrelations result{Matrix<double>::Identity(series, series), Matrix<Index>::Zero(series, series)};
#pragma omp parallel for schedule(dynamic)
  for (Index i = 0; i < series; ++i)
    for (Index j = 0; j < i; ++j) {
      const auto [r, n] = common_correlation(residuals, i, j);
      result.correlations(i, j) = result.correlations(j, i) = r;
      result.rows(i, j) = result.rows(j, i) = n;
    }
  return result;
}

/// The first direction of the residuals' correlations: theory.md, step 6.
HiddenFactors look_for_hidden_factors(const ResidualCorrelations& residuals) {
  const Index series = residuals.correlations.cols();
  HiddenFactors hidden;
  if (series < kLeastSeries) return hidden;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(residuals.correlations);
  const auto count = static_cast<double>(series);
  hidden.share = (solver.eigenvalues()[series - 1] - 1) / (count - 1);
  hidden.participation = 1 / (solver.eigenvectors().col(series - 1).array().pow(4).sum() * count);
  hidden.found = hidden.share > kHiddenShare && hidden.participation > kHiddenParticipation;
  return hidden;
}

Vector<double> factor_course(const ResidualCorrelations& of, const Matrix<double>& residuals) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(of.correlations);
  return standardised_residuals(residuals) * solver.eigenvectors().col(of.correlations.cols() - 1);
}

/// Pairs with twice as many common rows as series: fewer do not determine a correlation given all others.
std::vector<methods::Link> links_within_a_step(const ResidualCorrelations& of, const Matrix<double>& residuals) {
  const Index series = of.correlations.cols();
  const Eigen::LLT<Eigen::MatrixXd> factor(of.correlations);
  if (series < 2 || factor.info() != Eigen::Success) return {};
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(series, series));
  std::vector<methods::Link> links;
  links.reserve(static_cast<std::size_t>(series * (series - 1) / 2));
  for (Index j = 0; j < series; ++j)
    for (Index i = 0; i < j; ++i)
      if (of.rows(i, j) > 2 * series) links.push_back(link_of_pair(inverse, of.rows(i, j), i, j));
  confirm_pairs(links, inverse, residuals);
  return links;
}

}  // namespace fovea::lag::attention
