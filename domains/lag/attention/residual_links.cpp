#include "fovea/domains/lag/attention/residual_links.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

namespace {

constexpr Index kLeastSeries = 8;
constexpr double kHiddenShare = 0.25, kHiddenParticipation = 0.5;

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

std::vector<methods::Link> links_within_a_step(const ResidualCorrelations& residuals) {
  const Index series = residuals.correlations.cols();
  const Eigen::LLT<Eigen::MatrixXd> factor(residuals.correlations);
  if (series < 2 || factor.info() != Eigen::Success) return {};
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(series, series));
  std::vector<methods::Link> links;
  for (Index j = 0; j < series; ++j)
    for (Index i = 0; i < j; ++i) {
      if (residuals.rows(i, j) <= 2 * series) continue;
      const double r = std::clamp(-inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j)), -1.0, 1.0);
      const CorrelationTest test = test_correlation(r, residuals.rows(i, j), series - 2);
      methods::Link link{i, j, 0, r, test.t, test.p_value};
      link.directed = false;
      if (methods::too_small(link.p_value) && test.degrees >= 1)
        link.log10_p = log10_student_two_sided(test.t, static_cast<double>(test.degrees));
      links.push_back(link);
    }
  return links;
}

}  // namespace fovea::lag::attention
