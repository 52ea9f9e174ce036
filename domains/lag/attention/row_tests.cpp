#include "fovea/domains/lag/attention/row_tests.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/base/ordering.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

namespace {

// Of the largest: values that differ by less are ties but for rounding.
constexpr double kSame = 1e-9;
// Of the test on the rows, for normal scores: their p-value is divided by it, that of the values by the rest.
constexpr double kScoresShare = 0.25;
// Of a condition's square: less is rounding, or so little that its coefficient says nothing.
constexpr double kLeastLeft = 1e-8;

double correlation_of(const Vector<double>& u, const Vector<double>& e) {
  const double both = std::sqrt(u.squaredNorm() * e.squaredNorm());
  return both > 0 ? std::clamp(u.dot(e) / both, -1.0, 1.0) : 0.0;
}

double t_of(double correlation, double degrees) {
  return correlation * std::sqrt(degrees / std::max(1 - correlation * correlation, 1e-300));
}

double smaller(double a, double b) { return std::abs(a) < std::abs(b) ? a : b; }

/// Student's or the self-normalised one: each stands what the other does not.
double weaker_t(const Vector<double>& u, const Vector<double>& e, double degrees) {
  return smaller(t_of(correlation_of(u, e), degrees), self_normalised_t(u.cwiseProduct(e)));
}

RowsTest student_test(const Vector<double>& key, const Vector<double>& target, Index degrees) {
  RowsTest test;
  test.correlation = correlation_of(key, target);
  if (degrees < 1 || test.correlation == 0) return test;
  const auto d = static_cast<double>(degrees);
  test.t = t_of(test.correlation, d);
  test.p_value = student_two_sided(test.t, d);
  return test;
}

/// 0 where both ways disagree in sign.
double ranked_t(const Ranked& ranked, const Vector<double>& left, double degrees) {
  const double t = weaker_t(ranked.key, left, degrees);
  if (ranked.target.size() == 0) return t;
  const double of_values = weaker_t(ranked.key, ranked.target, degrees);
  return t * of_values > 0 ? smaller(t, of_values) : 0;
}

}  // namespace

bool has_ties(const Vector<double>& x, double share) {
  const std::vector<double> sorted = ascending({x.data(), static_cast<std::size_t>(x.size())});
  const double same = x.size() > 0 ? kSame * x.cwiseAbs().maxCoeff() : 0;
  const auto run = std::max<std::size_t>(static_cast<std::size_t>(share * static_cast<double>(sorted.size())), 2);
  for (std::size_t r = run - 1; r < sorted.size(); ++r)
    if (sorted[r] - sorted[r + 1 - run] <= same) return true;
  return false;
}

double self_normalised_t(const Vector<double>& w) {
  const Index n = w.size();
  if (n == 0) return 0;
  const auto rows = static_cast<double>(n);
  const Vector<double> d = w.array() - w.mean();
  const double squares = d.squaredNorm();
  if (!(squares > 1e-12 * w.squaredNorm())) return 0;
  const Index reach = std::min<Index>(static_cast<Index>(4 * std::pow(rows / 100, 2.0 / 9)), n - 1);
  double serial = squares;
  for (Index k = 1; k <= reach; ++k) {
    const double weight = 1 - static_cast<double>(k) / static_cast<double>(reach + 1);
    serial += 2 * weight * d.head(n - k).dot(d.tail(n - k));
  }
  const double chance = 2 * std::sqrt(4 * static_cast<double>(reach) / (3 * rows));
  return w.sum() / std::sqrt(serial > (1 + chance) * squares ? serial : squares);
}

Vector<double> normal_scores(const Vector<double>& x) {
  if (x.hasNaN()) return x;
  const std::vector<std::uint32_t> order = ascending_order({x.data(), static_cast<std::size_t>(x.size())});
  const RankQuantiles quantiles(order.size());
  Vector<double> scores(x.size());
  const double same = x.size() > 0 ? kSame * x.cwiseAbs().maxCoeff() : 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && x[order[last + 1]] - x[order[first]] <= same) ++last;
    const double rank = 0.5 * static_cast<double>(first + last) + 0.5;
    const double score = quantiles.at(rank);
    for (; first <= last; ++first) scores[order[first]] = score;
  }
  scores.array() -= scores.mean();
  return scores;
}

RowsTest rows_test(const Vector<double>& key, const Vector<double>& target, Index degrees,
                   const std::function<Ranked()>& ranked) {
  RowsTest test = student_test(key, target, degrees);
  if (test.p_value > kWorthConfirming) return test;
  const auto d = static_cast<double>(degrees);
  const auto p_of = [d](double t, double share) { return std::min(student_two_sided(t, d) / share, 1.0); };
  double t = self_normalised_t(key.cwiseProduct(target)), p = p_of(t, 1 - kScoresShare);
  methods::DecidingTest decided = methods::DecidingTest::robust;
  if (p > test.p_value && ranked) {
    const double of_ranks = ranked_t(ranked(), normal_scores(target), d);
    if (of_ranks * test.t > 0 && p_of(of_ranks, kScoresShare) < p) {
      t = of_ranks, p = p_of(of_ranks, kScoresShare);
      decided = methods::DecidingTest::ranks;
    }
  }
  if (p <= test.p_value) return test;
  test.decided = decided;
  test.t = t;
  test.p_value = p;
  return test;
}

RowConditions::RowConditions(Eigen::MatrixXd x) : x_(std::move(x)), factor_(x_.transpose() * x_) {}

bool RowConditions::independent() const {
  if (count() == 0) return true;
  if (factor_.info() != Eigen::Success) return false;
  // What the columns before leave of each, of its square.
  const Eigen::ArrayXd left = factor_.matrixLLT().diagonal().array().square();
  return (left > kLeastLeft * x_.colwise().squaredNorm().transpose().array()).all();
}

RowConditions::Fit RowConditions::fit(const Eigen::VectorXd& y) const {
  if (count() == 0) return {Eigen::VectorXd(), y};
  const Eigen::VectorXd coefficients = factor_.solve(x_.transpose() * y);
  return {coefficients, y - x_ * coefficients};
}

RowConditions::TargetFit RowConditions::fit_target(const Eigen::VectorXd& y) const {
  TargetFit target{fit(y), std::nullopt};
  if (has_ties(y, kManyTies)) target.scores = fit(normal_scores(y));
  return target;
}

RowsTest RowConditions::test(const TargetFit& target, const Eigen::VectorXd& key, Index degrees, bool on_rows) const {
  if (!on_rows) return student_test(fit(key).residuals, target.values.residuals, degrees);
  return rows_test(fit(key).residuals, target.values.residuals, degrees, [&] {
    return Ranked{fit(normal_scores(key)).residuals, target.scores ? target.scores->residuals : Vector<double>()};
  });
}

RowsTest RowConditions::test_condition(const TargetFit& target, Index c, Index degrees) const {
  const Eigen::VectorXd left = left_of_condition(c);
  const auto without = [&](const Fit& of) -> Eigen::VectorXd { return of.residuals + of.coefficients[c] * left; };
  return rows_test(left, without(target.values), degrees, [&] {
    return Ranked{without(fit(normal_scores(x_.col(c)))), target.scores ? without(*target.scores) : Eigen::VectorXd()};
  });
}

Eigen::VectorXd RowConditions::left_of_condition(Index c) const {
  const Eigen::VectorXd inverse = factor_.solve(Eigen::VectorXd::Unit(count(), c));
  return x_ * inverse / inverse[c];
}

}  // namespace fovea::lag::attention
