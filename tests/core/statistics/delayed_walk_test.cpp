#include "fovea/core/statistics/processes/delayed_walk.hpp"

#include <Eigen/Cholesky>

#include "fovea/core/base/matrix.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

struct PlainCurve {
  std::vector<double> time, value, variance;
  Samples samples() const { return {time, value, variance}; }
};

PlainCurve plain_curve(std::size_t points, double span, const Random& random) {
  PlainCurve curve;
  for (std::size_t i = 0; i < points; ++i) {
    curve.time.push_back(span * random.uniform(i));
    curve.value.push_back(random.normal(i, 1));
    curve.variance.push_back(0.01 + 0.2 * random.uniform(i, 2));
  }
  std::sort(curve.time.begin(), curve.time.end());
  return curve;
}

/// The covariance of all points, written out: the exponential kernel integrated over one top hat or two.
Matrix<double> plain_covariance(const PlainCurve& driver, const PlainCurve& response, const DelayedWalkParameters& p) {
  const double tau = p.damping_time, w = p.width, power = p.deviation * p.deviation;
  const auto kernel = [&](double d) { return std::exp(-std::abs(d) / tau); };
  const auto once = [&](double d) { return std::copysign(tau * (1 - std::exp(-std::abs(d) / tau)), d); };
  const auto twice = [&](double d) { return tau * tau * (std::exp(-std::abs(d) / tau) + std::abs(d) / tau); };
  /// Cov[echo, walk d before the echo's mean]: of an exponential that begins its length before its mean.
  const auto from_driver = [&](double d) {
    const double ahead = d + p.tail, front = std::exp(-std::abs(ahead) / tau) * tau / (tau + p.tail);
    if (ahead <= 0) return front;
    const double slow = std::exp(-ahead / tau), fast = std::exp(-ahead / p.tail);
    return fast * tau / (tau + p.tail) + (slow - fast) * tau / (tau - p.tail);
  };
  const auto n = static_cast<Index>(driver.time.size()), all = n + static_cast<Index>(response.time.size());
  const auto moment = [&](Index i) { return i < n ? driver.time[i] : response.time[i - n] - p.lag; };
  Matrix<double> covariance(all, all);
  for (Index i = 0; i < all; ++i)
    for (Index j = 0; j < all; ++j) {
      const double d = moment(i) - moment(j);
      const int hats = (i >= n ? 1 : 0) + (j >= n ? 1 : 0);
      double c = kernel(d);
      if (p.tail > 0 && hats == 1) c = from_driver(i < n ? -d : d);
      if (p.tail > 0 && hats == 2)
        c = (tau * kernel(d) - p.tail * std::exp(-std::abs(d) / p.tail)) * tau / (tau * tau - p.tail * p.tail);
      if (w > 0 && hats == 1) c = (once(d + w / 2) - once(d - w / 2)) / w;
      if (w > 0 && hats == 2) c = (twice(d + w) - 2 * twice(d) + twice(d - w)) / (w * w);
      covariance(i, j) = power * std::pow(p.scale, hats) * c;
    }
  for (Index i = 0; i < all; ++i)
    covariance(i, i) += i < n ? driver.variance[i] + p.driver_variance : response.variance[i - n] + p.response_variance;
  return covariance;
}

double plain_log_likelihood(const PlainCurve& driver, const PlainCurve& response, const DelayedWalkParameters& p,
                            int trend) {
  const auto n = static_cast<Index>(driver.time.size()), all = n + static_cast<Index>(response.time.size());
  std::vector<double> moments = driver.time;
  moments.insert(moments.end(), response.time.begin(), response.time.end());
  const double low = *std::min_element(moments.begin(), moments.end()),
               high = *std::max_element(moments.begin(), moments.end());
  const Index curves = driver.time.empty() || response.time.empty() ? 1 : 2;
  Matrix<double> design = Matrix<double>::Zero(all, curves * (1 + trend));
  Vector<double> values(all);
  for (Index i = 0; i < all; ++i) {
    const bool first = i < n;
    const std::size_t at = first ? i : i - n;
    values[i] = first ? driver.value[at] : response.value[at];
    const Index own = first ? 0 : curves - 1;
    design(i, own) = 1;
    const double t = first ? driver.time[at] : response.time[at];
    if (trend > 0) design(i, curves + own) = (t - (low + high) / 2) / ((high - low) / 2);
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(plain_covariance(driver, response, p));
  const Eigen::MatrixXd whitened = factor.matrixL().solve(Eigen::MatrixXd(design));
  const Eigen::VectorXd white = factor.matrixL().solve(Eigen::VectorXd(values));
  const Eigen::LLT<Eigen::MatrixXd> normal(whitened.transpose() * whitened);
  const Eigen::VectorXd explained = normal.matrixL().solve(whitened.transpose() * white);
  const auto log_determinant = [](const Eigen::LLT<Eigen::MatrixXd>& of) {
    return 2 * Eigen::MatrixXd(of.matrixL()).diagonal().array().log().sum();
  };
  return -0.5 * (static_cast<double>(all - design.cols()) * std::log(2 * std::numbers::pi) + log_determinant(factor) +
                 log_determinant(normal) + white.squaredNorm() - explained.squaredNorm());
}

constexpr double kWalkRounding = 1e-8;  // sums of 60 terms; differences of integrals lose up to 6 digits of 16

DelayedWalkParameters random_parameters(const Random& random) {
  DelayedWalkParameters p;
  p.deviation = 0.5 + random.uniform(0);
  p.damping_time = 5 + 60 * random.uniform(1);
  p.scale = 2 * random.uniform(2) - 1;
  p.lag = 80 * random.uniform(3) - 40;
  p.driver_variance = 0.1 * random.uniform(4);
  return p;
}

}  // namespace

TEST_CASE("the filter's likelihood is that of the whole covariance matrix", "[delayed_walk][twin]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Random random(seed);
    const PlainCurve driver = plain_curve(20 + seed, 100, random.stream("driver"));
    const PlainCurve response = plain_curve(30 - seed, 90, random.stream("response"));
    DelayedWalkParameters p = random_parameters(random);
    p.response_variance = 0.1 * random.uniform(5);
    for (const double width : {0.0, 0.3, 7.0, 40.0})
      for (const int trend : {0, 1}) {
        p.width = width;
        DelayedWalk walk(driver.samples(), response.samples(), trend);
        const double fast = walk.log_likelihood(p), plain = plain_log_likelihood(driver, response, p, trend);
        CAPTURE(seed, width, trend, plain);
        CHECK(std::abs(fast - plain) < kWalkRounding * std::abs(plain));
        CHECK(walk.log_likelihood(p) == fast);  // nothing is left over from the call before
      }
  }
}

TEST_CASE("an exponential window: the filter's likelihood is that of the whole covariance matrix",
          "[delayed_walk][twin]") {
  for (std::uint64_t seed = 21; seed <= 26; ++seed) {
    const Random random(seed);
    const PlainCurve driver = plain_curve(25, 100, random.stream("driver"));
    const PlainCurve response = plain_curve(20, 90, random.stream("response")), none;
    DelayedWalkParameters p = random_parameters(random);
    for (const double tail : {0.2, 3.0, 25.0, 100.0})
      for (const int trend : {0, 1}) {
        p.tail = tail;
        CAPTURE(seed, tail, trend);
        const double plain = plain_log_likelihood(driver, response, p, trend);
        CHECK(std::abs(DelayedWalk(driver.samples(), response.samples(), trend).log_likelihood(p) - plain) <
              kWalkRounding * std::abs(plain));
        const double alone = plain_log_likelihood(none, response, p, trend);
        CHECK(std::abs(DelayedWalk({}, response.samples(), trend).log_likelihood(p) - alone) <
              kWalkRounding * std::abs(alone));
      }
  }
}

TEST_CASE("an exponential as long as the damping time is no special case", "[delayed_walk]") {
  const PlainCurve driver = plain_curve(25, 100, Random(31)), response = plain_curve(20, 90, Random(32));
  DelayedWalkParameters p;
  p.damping_time = 12;
  p.lag = 15;
  DelayedWalk walk(driver.samples(), response.samples());
  p.tail = 12;
  const double equal = walk.log_likelihood(p);
  for (const double factor : {1 - 1e-5, 1 - 1e-7, 1 + 1e-7, 1 + 1e-5}) {
    p.tail = 12 * factor;
    CHECK(std::abs(walk.log_likelihood(p) - equal) < 1e-3);
  }
}

TEST_CASE("a driver without a response has the likelihood of a damped random walk", "[delayed_walk][twin]") {
  const PlainCurve driver = plain_curve(25, 50, Random(3)), none;
  DelayedWalkParameters p;
  p.damping_time = 12;
  for (const int trend : {0, 1}) {
    DelayedWalk walk(driver.samples(), {}, trend);
    const double plain = plain_log_likelihood(driver, none, p, trend);
    CHECK(std::abs(walk.log_likelihood(p) - plain) < kWalkRounding * std::abs(plain));
  }
}

TEST_CASE("a response without a driver has the likelihood of a smoothed walk, whatever the lag",
          "[delayed_walk][twin]") {
  const PlainCurve response = plain_curve(25, 50, Random(6)), none;
  DelayedWalkParameters p;
  p.damping_time = 12;
  p.response_variance = 0.05;
  for (const double width : {0.0, 9.0})
    for (const int trend : {0, 1}) {
      p.width = width;
      p.lag = 3;
      DelayedWalk walk({}, response.samples(), trend);
      const double plain = plain_log_likelihood(none, response, p, trend);
      CHECK(std::abs(walk.log_likelihood(p) - plain) < kWalkRounding * std::abs(plain));
      p.lag = -70;
      CHECK(std::abs(walk.log_likelihood(p) - plain) < kWalkRounding * std::abs(plain));
    }
}

TEST_CASE("means are integrated out: constants added to the curves change nothing", "[delayed_walk][property]") {
  PlainCurve driver = plain_curve(25, 50, Random(4)), response = plain_curve(20, 50, Random(5));
  DelayedWalkParameters p;
  p.damping_time = 20;
  p.lag = 5;
  p.width = 4;
  const double before = DelayedWalk(driver.samples(), response.samples()).log_likelihood(p);
  for (double& value : driver.value) value += 7;
  for (double& value : response.value) value -= 3;
  CHECK(std::abs(DelayedWalk(driver.samples(), response.samples()).log_likelihood(p) - before) <
        kWalkRounding * std::abs(before));
}

TEST_CASE("two exact values at one moment that differ are impossible", "[delayed_walk]") {
  const PlainCurve twice{{1, 1, 2}, {0, 1, 0}, {0, 0, 0}};
  CHECK(DelayedWalk(twice.samples(), {}).log_likelihood({}) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a delayed walk says what is wrong with its samples", "[delayed_walk][error]") {
  const std::vector<double> two{1, 2}, one{1}, back{2, 1};
  CHECK_THROWS_AS(DelayedWalk({two, one, two}, {}), ArgumentError);
  CHECK_THROWS_AS(DelayedWalk({back, two, two}, {}), ArgumentError);
  CHECK_THROWS_AS(DelayedWalk({}, {}), ArgumentError);
  CHECK_THROWS_WITH(DelayedWalk({two, two, two}, {}, 2),
                    "delayed walk: trend is 2, but must be 0 (means) or 1 (straight lines).");
}
