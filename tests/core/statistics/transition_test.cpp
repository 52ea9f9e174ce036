#include "fovea/core/statistics/binder.hpp"
#include "fovea/core/statistics/processes/blocking.hpp"
#include "fovea/core/statistics/tests/modality.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr std::uint64_t kDataSets = 20000;

OrderSums sums_of(const std::vector<double>& values) {
  OrderSums sums;
  for (const double value : values) sums.add(value);
  return sums;
}

/// One replica whose U4 is exactly `cumulant` and stays so when pooled.
OrderSums with_cumulant(double cumulant) { return {1, 1, 1, 3 * (1 - cumulant)}; }

/// Straight cumulants of three sizes that cross at (1, 0.45), each replica with normal errors.
std::vector<CumulantPoint> straight_curves(const Random& random) {
  constexpr std::array kSlopes{-0.5, -1.0, -2.0};
  constexpr double kSpread = 0.03;
  std::vector<CumulantPoint> points;
  for (std::size_t size = 0; size < kSlopes.size(); ++size)
    for (std::size_t k = 0; k < 7; ++k) {
      CumulantPoint point{size, 0.94 + 0.02 * static_cast<double>(k), {}};
      for (std::uint64_t r = 0; r < 8; ++r)
        point.replicas.push_back(
            with_cumulant(0.45 + kSlopes[size] * (point.control - 1) + kSpread * random.normal(size * 100 + k, r)));
      points.push_back(std::move(point));
    }
  return points;
}

const std::vector<double> kCrowds{50, 400, 3200};
constexpr double kOnset = 0.45;

/// U4 of the weight exp(-N (t R^2 + R^4 + R^6)) R dR of a length R >= 0 of two components, t = distance / 2, by sums.
double landau_cumulant(double agents, double distance) {
  OrderSums sums;
  const double step = std::pow(agents, -0.25) / 400;
  for (double r = 0.5 * step; r < 4 * std::pow(agents, -0.25); r += step) {
    const double square = r * r;
    const double weight = r * std::exp(-agents * square * (0.5 * distance + square + square * square));
    sums.add({weight, weight * r, weight * square, weight * square * square});
  }
  return sums.binder();
}

/// Of kCrowds about kOnset; `error` is the standard error of each replica of the largest.
std::vector<CumulantPoint> landau_curves(double error, const Random& random) {
  constexpr int kReplicas = 8;
  std::vector<CumulantPoint> points;
  for (std::size_t size = 0; size < kCrowds.size(); ++size)
    for (std::size_t k = 0; k < 7; ++k) {
      const double distance = 0.025 * (static_cast<double>(k) - 3) / 3;
      const double exact = landau_cumulant(kCrowds[size], distance);
      const double own = error * std::sqrt(kCrowds[size] / kCrowds.back());
      CumulantPoint point{size, kOnset * (1 + distance), {}};
      for (std::uint64_t r = 0; r < kReplicas; ++r)
        point.replicas.push_back(with_cumulant(exact + own * random.normal(size * 100 + k, r)));
      points.push_back(std::move(point));
    }
  return points;
}

std::vector<double> histogram_of_normals(const Random& random, double distance, std::uint64_t draws) {
  std::vector<double> counts(30, 0.0);
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double x = random.normal(i) + (i % 2 == 0 ? distance : -distance);
    counts[static_cast<std::size_t>(std::clamp(3 * (x + 5), 0.0, 29.0))] += 1;
  }
  return counts;
}

}  // namespace

TEST_CASE("the Binder cumulant is 2/3 for a sharp order, 0 for a normal one, 1/3 for the length of a normal pair",
          "[statistics][transition]") {
  const Random random(5);
  std::vector<double> sharp(10, -0.7), normal, length;
  for (std::uint64_t i = 0; i < kDataSets; ++i) {
    normal.push_back(random.normal(i));
    length.push_back(std::hypot(random.normal(i, 1), random.normal(i, 2)));
  }
  constexpr double kFourErrors = 0.04;  // sd of U4 of 20000 normal draws is 0.009
  CHECK(std::abs(sums_of(sharp).binder() - 2.0 / 3) < 1e-15);
  CHECK(std::abs(sums_of(normal).binder()) < kFourErrors);
  CHECK(std::abs(sums_of(length).binder() - 1.0 / 3) < kFourErrors);
  CHECK(sums_of(sharp).susceptibility(100) < 1e-12);
  CHECK(std::isnan(OrderSums{}.binder()));
}

TEST_CASE("pooled replicas have the mean of all and the error of their spread", "[statistics][transition]") {
  const std::vector<OrderSums> replicas{sums_of({1, 1}), sums_of({2, 2}), sums_of({3, 3})};
  const Estimate mean = pooled_estimate(replicas, OrderStatistic::mean);
  CHECK(mean.value == Approx(2));
  CHECK(mean.error == Approx(1 / std::sqrt(3.0)));  // of a mean the jackknife is the standard error
  CHECK(std::isnan(pooled_estimate(std::vector{sums_of({1, 2})}, OrderStatistic::binder).error));
}

TEST_CASE("the common crossing of exact parabolas is found to rounding", "[statistics][transition]") {
  std::vector<CumulantPoint> points;
  for (std::size_t size = 0; size < 3; ++size)
    for (int k = 0; k < 7; ++k) {
      const double x = 0.5 + 0.01 * k, d = x - 0.534, slope = -1.0 - static_cast<double>(size);
      const double cumulant = 0.4764 + slope * d + 2.0 * slope * d * d;
      points.push_back({size, x, {with_cumulant(cumulant), with_cumulant(cumulant)}});
    }
  const CumulantCrossing crossing = cumulant_crossing(points);
  constexpr double kRounding = 1e-7;  // chi^2 is flat to the square root of rounding about its minimum
  CHECK(std::abs(crossing.control - 0.534) < kRounding);
  CHECK(std::abs(crossing.binder - 0.4764) < kRounding);
  CHECK(std::abs(crossing.slopes[2] + 3) < 1e-4);
  CHECK(crossing.degrees == 21 - 2 - 6);
}

TEST_CASE("curves that do not cross have no crossing", "[statistics][transition]") {
  std::vector<CumulantPoint> points;
  for (std::size_t size = 0; size < 2; ++size)
    for (int k = 0; k < 4; ++k) {
      const double x = 2 + 0.1 * k;  // they meet at 1, outside
      points.push_back({size, x, {with_cumulant(0.5 - (0.1 + 0.1 * static_cast<double>(size)) * (x - 1))}});
    }
  CHECK(std::isnan(cumulant_crossing(points).control));
  CHECK_THROWS_AS(cumulant_crossing(std::vector<CumulantPoint>(points.begin(), points.begin() + 4)), std::exception);
}

TEST_CASE("the bootstrap interval of a crossing covers the truth as often as it says", "[statistics][transition]") {
  // Seeds 100 ... 199, 100 data sets: an interval of 95 % covers 95 +- 2.2.
  constexpr int kSets = 100, kDraws = 80;
  int covered = 0;
  for (int set = 0; set < kSets; ++set) {
    const Random random(static_cast<std::uint64_t>(100 + set));
    const auto points = straight_curves(random.stream("data"));
    const CrossingInterval interval = cumulant_crossing_interval(points, random.stream("draws"), kDraws);
    covered += interval.low <= 1 && 1 <= interval.high;
  }
  CAPTURE(covered);
  CHECK(covered >= 0.85 * kSets);
  CHECK(covered <= 0.99 * kSets);
}

TEST_CASE("a common crossing with corrections in the size is found to rounding", "[statistics][transition]") {
  std::vector<CumulantPoint> points;
  for (std::size_t size = 0; size < 3; ++size)
    for (int k = 0; k < 7; ++k) {
      const double root = std::sqrt(kCrowds[size]), x = 0.5 + 0.001 * k, s = (x - 0.5034) * root;
      const double cumulant = 0.4764 + 0.2 / root - 0.8 * s + 0.3 * s / root + 0.4 * s * s - 0.2 * s * s * s;
      points.push_back({size, x, {with_cumulant(cumulant), with_cumulant(cumulant)}});
    }
  const CumulantCrossing crossing = cumulant_scaling(points, kCrowds);
  constexpr double kRounding = 1e-6;  // chi^2 is flat to the square root of rounding about its minimum
  CHECK(std::abs(crossing.control - 0.5034) < kRounding);
  CHECK(std::abs(crossing.binder - 0.4764) < kRounding);
  CHECK(std::abs(crossing.correction - 0.2) < 100 * kRounding);
  CHECK(std::abs(crossing.slopes[2] - (0.3 - 0.8 * std::sqrt(3200.0))) < 1e-2);
  CHECK(crossing.degrees == 21 - 7);
  CHECK_THROWS_AS(cumulant_scaling(std::vector<CumulantPoint>(points.begin(), points.begin() + 14), kCrowds),
                  std::exception);
  CHECK_THROWS_AS(cumulant_scaling(points, std::vector<double>{50, 400}), std::exception);
}

TEST_CASE("cumulants of finite crowds meet too high, their common function at 1 - pi / 6", "[statistics][transition]") {
  const std::vector<CumulantPoint> points = landau_curves(0, Random(1));
  const double universal = 1 - std::numbers::pi / 6;
  const CumulantCrossing plain = cumulant_crossing(points), scaled = cumulant_scaling(points, kCrowds);
  CAPTURE(plain.binder, scaled.binder, plain.control, scaled.control);
  CHECK(plain.binder - universal > 0.007);
  CHECK(std::abs(plain.control - kOnset) > 0.004 * kOnset);
  CHECK(std::abs(scaled.binder - universal) < 0.003);  // what is left falls as 1 / N
  CHECK(std::abs(scaled.control - kOnset) < 0.001 * kOnset);
}

TEST_CASE("the bootstrap interval of the scaled crossing covers the truth as often as it says",
          "[statistics][transition][long]") {
  // Seeds 100 ... 159, 60 data sets: an interval of 95 % covers 57 +- 1.7.
  constexpr int kSets = 60, kDraws = 60;
  int covered = 0, height = 0;
  const CumulantCrossing exact = cumulant_scaling(landau_curves(0, Random(1)), kCrowds);
  for (int set = 0; set < kSets; ++set) {
    const Random random(static_cast<std::uint64_t>(100 + set));
    const auto points = landau_curves(0.03, random.stream("data"));
    const CrossingInterval interval = cumulant_scaling_interval(points, kCrowds, random.stream("draws"), kDraws);
    covered += interval.low <= exact.control && exact.control <= interval.high;
    height += interval.binder_low <= exact.binder && exact.binder <= interval.binder_high;
  }
  CAPTURE(covered, height);
  CHECK(covered >= 0.85 * kSets);
  CHECK(height >= 0.85 * kSets);
  CHECK(covered + height < 2 * kSets);
}

TEST_CASE("blocking finds the memory of an autoregressive series", "[statistics][transition]") {
  constexpr double kMemory = 0.9;  // correlation time (1 + 0.9) / (2 (1 - 0.9)) = 9.5
  const Random random(3);
  Blocking blocking, half;
  double x = 0;
  std::vector<double> series;
  for (std::uint64_t i = 0; i < 60000; ++i) series.push_back(x = kMemory * x + random.normal(i));
  for (const double value : series) blocking.add(value);
  // the block variance from 16 ... 30 blocks has a relative error of about a quarter, the error of a time twice that
  CHECK(std::abs(blocking.correlation_time() - 9.5) < 4.5);
  CHECK(blocking.count() == series.size());
  for (std::size_t i = 0; i < 1001; ++i) half.add(series[i]);
  Blocking resumed;
  resumed.restore(half.state());
  for (std::size_t i = 1001; i < series.size(); ++i) resumed.add(series[i]);
  CHECK(resumed.error() == blocking.error());
  CHECK(resumed.mean() == blocking.mean());
}

TEST_CASE("two peaks are told from one, and one peak is seldom called two", "[statistics][transition]") {
  const Random random(9);
  CHECK(histogram_modality(histogram_of_normals(random, 2.0, 500), 500, random, 99).chance <= 0.01);
  // Seed 9, 60 histograms of one peak at level 0.05: 3 +- 1.7 rejections.
  int rejected = 0;
  for (std::uint64_t set = 0; set < 60; ++set) {
    const Random own = random.stream(std::string("one peak ") + std::to_string(set));
    rejected += histogram_modality(histogram_of_normals(own, 0.0, 200), 200, own.stream("null"), 39).chance <= 0.05;
  }
  CHECK(rejected <= 8);
}
