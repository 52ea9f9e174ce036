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
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea {

namespace {

/// The log-likelihood at a line with its slope and its information (minus the second derivatives).
struct LineLikelihood {
  double value = 0;
  double by_intercept = 0, by_slope = 0;
  double intercepts = 0, both = 0, slopes = 0;
};

LineLikelihood likelihood_at(std::span<const double> z, std::span<const Index> outcomes, double a, double b) {
  LineLikelihood sum;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double x = a + b * z[i], e = exponential(-std::abs(x)), y = static_cast<double>(outcomes[i]);
    const double p = x >= 0 ? 1 / (1 + e) : e / (1 + e), weight = e / ((1 + e) * (1 + e));
    sum.value += y * x - std::max(x, 0.0) - std::log1p(e);
    sum.by_intercept += y - p;
    sum.by_slope += (y - p) * z[i];
    sum.intercepts += weight;
    sum.both += weight * z[i];
    sum.slopes += weight * z[i] * z[i];
  }
  return sum;
}

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

/// The line that is most likely, from one without slope, where the likelihood always bends.
CalibrationLine most_likely_line(std::span<const double> z, std::span<const Index> outcomes, double share) {
  constexpr int kMostSteps = 200;
  constexpr double kAtRest = 1e-26;  // of what a step promises in nats, for each example
  constexpr double kUnseen = 1e-10;  // of the log-likelihood: rounding hides whether a step that promises less helps
  constexpr int kMostUnseen = 3;     // such steps are taken unseen: each doubles the number of right digits
  CalibrationLine line{log_odds_of(share), 0, 0, 0, 0};
  LineLikelihood at = likelihood_at(z, outcomes, line.intercept, line.slope);
  const auto determinant = [&] { return at.intercepts * at.slopes - at.both * at.both; };
  for (int k = 0, unseen = 0; k < kMostSteps && unseen < kMostUnseen && determinant() > 0; ++k) {
    double da = (at.slopes * at.by_intercept - at.both * at.by_slope) / determinant();
    double db = (at.intercepts * at.by_slope - at.both * at.by_intercept) / determinant();
    const double promised = da * at.by_intercept + db * at.by_slope;
    if (promised <= kAtRest * static_cast<double>(z.size())) break;
    LineLikelihood there = likelihood_at(z, outcomes, line.intercept + da, line.slope + db);
    const bool seen = promised > kUnseen * std::abs(at.value);
    for (int halved = 0; seen && !(there.value >= at.value) && halved < 60; ++halved) {
      da /= 2, db /= 2;
      there = likelihood_at(z, outcomes, line.intercept + da, line.slope + db);
    }
    if (seen && !(there.value >= at.value)) break;  // as near as rounding allows
    if (!seen) ++unseen;
    line.intercept += da, line.slope += db;
    at = there;
  }
  line.log_likelihood = at.value;
  line.intercept_error = std::sqrt(at.slopes / determinant());
  line.slope_error = std::sqrt(at.intercepts / determinant());
  return line;
}

}  // namespace

double CalibrationLine::probability(double z) const {
  const double x = intercept + slope * z, e = exponential(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

CalibrationLine fit_calibration_line(std::span<const double> log_odds, std::span<const Index> outcomes) {
  check_line("fit_calibration_line", log_odds, outcomes);
  require(!parted(log_odds, outcomes),
          "fit_calibration_line: the log-odds part the outcomes without an error; no line is the most likely one.");
  const Moments scale = moments(log_odds);
  const double spread = std::sqrt(scale.variance);
  std::vector<double> standard;  // so that no log-odds are too large to begin with
  for (const double z : log_odds) standard.push_back((z - scale.mean) / spread);
  CalibrationLine line = most_likely_line(standard, outcomes, share_of_ones(outcomes));
  line.slope /= spread, line.intercept -= line.slope * scale.mean;
  const LineLikelihood at = likelihood_at(log_odds, outcomes, line.intercept, line.slope);
  line.slope_error /= spread;
  line.intercept_error = std::sqrt(at.slopes / at.intercepts) * line.slope_error;
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
    (likelihood_at(log_odds, outcomes, line.intercept, 1).by_intercept > 0 ? low : high) = line.intercept;
    if (line.intercept == low + (high - low) / 2) break;
  }
  const LineLikelihood at = likelihood_at(log_odds, outcomes, line.intercept, 1);
  line.log_likelihood = at.value;
  line.intercept_error = 1 / std::sqrt(at.intercepts);
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
