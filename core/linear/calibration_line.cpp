#include "fovea/core/linear/calibration_line.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/binary_regression.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea {

namespace {

void check_line(const char* who, std::span<const double> z, std::span<const Index> outcomes) {
  require(!z.empty() && z.size() == outcomes.size(), who, ": there are ", z.size(), " log-odds and ", outcomes.size(),
          " outcomes; as many are needed, and at least one.");
  for (const double x : z) require(std::isfinite(x), who, ": log-odds of ", x, "; they must be finite.");
  for (const Index y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
  const auto ones = std::count(outcomes.begin(), outcomes.end(), Index{1});
  require(ones > 0 && ones < std::ssize(outcomes), who, ": all outcomes are ", outcomes.front(),
          "; both 0 and 1 are needed.");
}

double share_of_ones(std::span<const Index> outcomes) {
  const auto ones = static_cast<double>(std::count(outcomes.begin(), outcomes.end(), Index{1}));
  return ones / static_cast<double>(outcomes.size());
}

/// Whether the largest log-odds of one outcome is not above the smallest of the other.
bool parted(std::span<const double> z, std::span<const Index> outcomes) {
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (std::size_t i = 0; i < z.size(); ++i) {
    least[outcomes[i]] = std::min(least[outcomes[i]], z[i]);
    most[outcomes[i]] = std::max(most[outcomes[i]], z[i]);
  }
  return most[0] <= least[1] || most[1] <= least[0];
}

/// With slope 1 and an intercept: the log-likelihood, its slope and its information (minus the second derivative).
struct LikelihoodInTheLarge {
  double value = 0, slope = 0, information = 0;
};

LikelihoodInTheLarge likelihood_at(std::span<const double> z, std::span<const Index> outcomes, double intercept) {
  LikelihoodInTheLarge sum;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double x = intercept + z[i], e = exponential(-std::abs(x)), y = static_cast<double>(outcomes[i]);
    sum.value += y * x - std::max(x, 0.0) - std::log1p(e);
    sum.slope += y - binary_probability(BinaryLink::logit, x);
    sum.information += e / ((1 + e) * (1 + e));
  }
  return sum;
}

}  // namespace

double CalibrationLine::probability(double z) const {
  return binary_probability(BinaryLink::logit, intercept + slope * z);
}

CalibrationLine fit_calibration_line(std::span<const double> log_odds, std::span<const Index> outcomes) {
  check_line("fit_calibration_line", log_odds, outcomes);
  require(!parted(log_odds, outcomes),
          "fit_calibration_line: the log-odds part the outcomes without an error; no line is the most likely one.");
  const Moments scale = moments(log_odds);
  const double spread = std::sqrt(scale.variance), shift = scale.mean / spread;
  Matrix<double> columns(std::ssize(log_odds), 2);  // standardised, so that no log-odds are too large to begin with
  for (Index i = 0; i < columns.rows(); ++i) columns.row(i) << 1, (log_odds[i] - scale.mean) / spread;
  const std::vector<double> targets(outcomes.begin(), outcomes.end());
  const BinaryRegression fit = fit_binary_regression(columns, targets);
  const Matrix<double> covariance = binary_covariance(columns, targets, fit.coefficients);
  CalibrationLine line;
  line.slope = fit.coefficients[1] / spread;
  line.intercept = fit.coefficients[0] - line.slope * scale.mean;
  line.slope_error = std::sqrt(covariance(1, 1)) / spread;
  line.intercept_error = std::sqrt(covariance(0, 0) - 2 * shift * covariance(0, 1) + shift * shift * covariance(1, 1));
  line.log_likelihood = fit.log_likelihood;
  return line;
}

CalibrationLine fit_calibration_in_the_large(std::span<const double> log_odds, std::span<const Index> outcomes) {
  constexpr int kBisections = 200;  // until no number is in between
  check_line("fit_calibration_in_the_large", log_odds, outcomes);
  const double share = log_odds_of(share_of_ones(outcomes));
  const auto [least, most] = std::minmax_element(log_odds.begin(), log_odds.end());
  CalibrationLine line;
  double low = share - *most, high = share - *least;  // there too few and too many are expected
  line.intercept = low;                               // of equal log-odds that is all
  for (int k = 0; k < kBisections && low < high; ++k) {
    line.intercept = low + (high - low) / 2;
    (likelihood_at(log_odds, outcomes, line.intercept).slope > 0 ? low : high) = line.intercept;
    if (line.intercept == low + (high - low) / 2) break;
  }
  const LikelihoodInTheLarge at = likelihood_at(log_odds, outcomes, line.intercept);
  line.log_likelihood = at.value;
  line.intercept_error = 1 / std::sqrt(at.information);
  return line;
}

double calibration_difference_p_value(std::span<const double> log_odds, std::span<const Index> outcomes,
                                      std::span<const Index> parts, std::span<const Index> clusters) {
  constexpr std::size_t kFewestClusters = 10;  // of a part: a variance of fewer is known to a third at best
  require(parts.size() == log_odds.size() && clusters.size() == log_odds.size(),
          "calibration_difference_p_value: there are ", log_odds.size(), " log-odds, ", parts.size(), " parts and ",
          clusters.size(), " clusters; as many are needed.");
  const CalibrationLine line = fit_calibration_in_the_large(log_odds, outcomes);
  const Index count = *std::max_element(parts.begin(), parts.end()) + 1;
  std::map<Index, Eigen::VectorXd> scores;  // of each cluster, by part
  std::vector<std::set<Index>> of_part(count);
  Eigen::VectorXd information = Eigen::VectorXd::Zero(count);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double p = line.probability(log_odds[i]);
    Eigen::VectorXd& score = scores.try_emplace(clusters[i], Eigen::VectorXd::Zero(count)).first->second;
    score(parts[i]) += static_cast<double>(outcomes[i]) - p;
    information(parts[i]) += p * (1 - p);
    of_part[parts[i]].insert(clusters[i]);
  }
  for (const std::set<Index>& part : of_part)
    if (count < 2 || part.size() < kFewestClusters) return kNan;
  information /= information.sum();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(count - 1);  // the scores of all parts add up to 0
  Eigen::MatrixXd variance = Eigen::MatrixXd::Zero(count - 1, count - 1);
  for (const auto& [cluster, score] : scores) {
    const Eigen::VectorXd own =
        (score - score.sum() * information).head(count - 1);  // what fitting the intercept takes
    sum += own, variance += own * own.transpose();
  }
  const Eigen::LDLT<Eigen::MatrixXd> solved(variance);
  if (solved.info() != Eigen::Success || !(solved.vectorD().minCoeff() > 0)) return kNan;
  return chi_squared_upper(std::max(0.0, sum.dot(solved.solve(sum))), static_cast<double>(count - 1));
}

double observed_over_expected(std::span<const double> probabilities, std::span<const Index> outcomes) {
  require(!probabilities.empty() && probabilities.size() == outcomes.size(), "observed_over_expected: there are ",
          probabilities.size(), " probabilities and ", outcomes.size(),
          " outcomes; as many are needed, and at least one.");
  double expected = 0, observed = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    require(probabilities[i] >= 0 && probabilities[i] <= 1, "observed_over_expected: a probability is ",
            probabilities[i], ", but must be in [0, 1].");
    expected += probabilities[i];
    observed += static_cast<double>(outcomes[i]);
  }
  return observed / expected;
}

double log_odds_of(double probability, double least) {
  const double p = std::clamp(probability, least, 1 - least);
  return std::log(p) - std::log1p(-p);
}

}  // namespace fovea
