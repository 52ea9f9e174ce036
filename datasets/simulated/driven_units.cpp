#include "fovea/datasets/simulated/driven_units.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::simulated {

namespace {

void check_units(const DrivenUnits& units) {
  for (const double noise : units.noise)
    require(noise >= 0, "driven units: a noise of ", noise, "; it is a standard deviation and must be >= 0.");
  for (const LaggedLink& link : units.links) {
    require(link.lag >= 1, "driven units: a link with lag ", link.lag, "; it must be at least 1 step.");
    require(std::min(link.driver, link.target) >= 0 && std::max(link.driver, link.target) < units.units(),
            "driven units: a link from unit ", link.driver, " to unit ", link.target, ", but there are ", units.units(),
            " units, counted from 0.");
  }
}

/// The state is (x(t), x(t - 1), ..., x(t - L + 1)); s(t) = A s(t - 1) + noise in its first units.
Matrix<double> companion(const DrivenUnits& units) {
  check_units(units);
  const Index count = units.units(), size = count * units.longest_lag();
  Matrix<double> a = Matrix<double>::Zero(size, size);
  for (const LaggedLink& link : units.links) a(link.target, (link.lag - 1) * count + link.driver) += link.strength;
  a.bottomLeftCorner(size - count, size - count).setIdentity();
  return a;
}

/// The covariance of the state, and after how many steps less than 1e-12 of the start is left.
struct Stationary {
  Matrix<double> covariance;
  Index settled = 1;
};

Stationary stationary(const DrivenUnits& units) {
  constexpr double kForgotten = 1e-12;
  constexpr Index kLongestMemory = Index(1) << 20;
  Matrix<double> power = companion(units);
  Stationary result{Matrix<double>::Zero(power.rows(), power.cols())};
  for (Index u = 0; u < units.units(); ++u) {
    const double noise = units.noise[u];
    result.covariance(u, u) = noise * noise;
  }
  while (!(power.norm() <= kForgotten)) {  // NaN goes in; each round doubles the steps that the sum covers
    require(result.settled < kLongestMemory && power.allFinite(),
            "driven units: the links let the units grow without bound; weaken them.");
    result.covariance += (power * result.covariance * power.transpose()).eval();
    power = (power * power).eval();
    result.settled *= 2;
  }
  return result;
}

}  // namespace

Index DrivenUnits::longest_lag() const {
  Index longest = 1;
  for (const LaggedLink& link : links) longest = std::max(longest, link.lag);
  return longest;
}

DrivenUnits driven_by_common(const CommonDriver& settings) {
  require(settings.lag_x >= 1 && settings.lag_y > settings.lag_x, "driven_by_common: lags ", settings.lag_x, " and ",
          settings.lag_y, "; x must be driven after at least 1 step, and y after x.");
  DrivenUnits units{{"x", "y", "z"}, {settings.noise_x, settings.noise_y, 1.0}, {}};
  units.links = {
      {2, 2, 1, settings.memory}, {2, 0, settings.lag_x, settings.to_x}, {2, 1, settings.lag_y, settings.to_y}};
  if (settings.direct != 0) units.links.push_back({0, 1, settings.lag_y - settings.lag_x, settings.direct});
  return units;
}

DrivenUnits river() {
  enum { rain, snow, upstream, town, tide, harbour, pump };
  DrivenUnits units;
  units.names = {"rain", "snow", "upstream", "town", "tide", "harbour", "pump"};
  units.noise = {1, 0.5, 0.7, 0.7, 0.8, 0.7, 0.4};
  units.links = {{rain, rain, 1, 0.3},     {snow, snow, 1, 0.8},     {upstream, upstream, 1, 0.4},
                 {town, town, 1, 0.3},     {tide, tide, 1, -0.6},    {pump, pump, 1, 0.9},
                 {rain, upstream, 2, 0.5}, {snow, upstream, 5, 0.4}, {rain, town, 1, 0.3},
                 {upstream, town, 3, 0.5}, {town, harbour, 4, 0.5},  {tide, harbour, 1, -0.4}};
  return units;
}

Matrix<double> simulate(const DrivenUnits& units, Index steps, const Random& random) {
  const Index before = stationary(units).settled + units.longest_lag(), count = units.units();
  Matrix<double> all = Matrix<double>::Zero(before + steps, count);
  for (Index t = units.longest_lag(); t < all.rows(); ++t) {
    for (Index u = 0; u < count; ++u)
      all(t, u) = units.noise[u] * random.normal(static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(t));
    for (const LaggedLink& link : units.links) all(t, link.target) += link.strength * all(t - link.lag, link.driver);
  }
  return all.bottomRows(steps);
}

std::vector<Matrix<double>> autocovariances(const DrivenUnits& units, Index last) {
  const Index count = units.units();
  const Matrix<double> a = companion(units);
  Matrix<double> moved = stationary(units).covariance;  // E s(t) s(t - h)' = A^h P
  std::vector<Matrix<double>> gamma;
  for (Index h = 0; h <= last; ++h) {
    gamma.push_back(moved.topLeftCorner(count, count));
    moved = (a * moved).eval();
  }
  return gamma;
}

LinearForecast best_forecast(const DrivenUnits& units, Index target, const std::vector<PastValue>& past) {
  Index last = 0;
  for (const PastValue& value : past) {
    require(value.lag >= 1 && value.unit >= 0 && value.unit < units.units(), "best_forecast: unit ", value.unit,
            " at lag ", value.lag, "; there are ", units.units(), " units, and lags start at 1.");
    last = std::max(last, value.lag);
  }
  require(target >= 0 && target < units.units(), "best_forecast: target ", target, "; there are ", units.units(),
          " units, counted from 0.");
  const std::vector<Matrix<double>> gamma = autocovariances(units, last);
  const auto covariance = [&](PastValue a, PastValue b) {  // E x_a(t - lag_a) x_b(t - lag_b)
    const Index h = b.lag - a.lag;
    return h >= 0 ? gamma[h](a.unit, b.unit) : gamma[-h](b.unit, a.unit);
  };
  const Index count = static_cast<Index>(past.size());
  const PastValue now{target, 0};
  Matrix<double> among(count, count);
  Vector<double> with_target(count);
  for (Index i = 0; i < count; ++i) {
    const PastValue a = past[i];
    with_target[i] = covariance(now, a);
    for (Index j = 0; j < count; ++j) among(i, j) = covariance(a, past[j]);
  }
  LinearForecast forecast;
  forecast.variance = gamma[0](target, target);
  if (count == 0) return forecast;
  forecast.coefficients = Eigen::LDLT<Eigen::MatrixXd>(among).solve(with_target);
  forecast.variance -= forecast.coefficients.dot(with_target);
  return forecast;
}

std::vector<PastValue> past_of(const std::vector<Index>& units, Index lags) {
  std::vector<PastValue> past;
  for (const Index unit : units)
    for (Index lag = 1; lag <= lags; ++lag) past.push_back({unit, lag});
  return past;
}

}  // namespace fovea::datasets::simulated
