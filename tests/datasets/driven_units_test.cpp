#include "fovea/datasets/simulated/driven_units.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

/// Two units with memory that act on each other, one of them after three steps.
datasets::simulated::DrivenUnits two_units() {
  return {{"a", "b"}, {1.0, 0.5}, {{0, 0, 1, 0.6}, {0, 1, 3, 0.8}, {1, 0, 2, -0.3}}};
}

}  // namespace

TEST_CASE("a unit with a memory has the autocovariance of the textbook", "[driven_units]") {
  constexpr double kRounding = 1e-12;
  const datasets::simulated::DrivenUnits units{{"a"}, {2.0}, {{0, 0, 1, 0.5}}};
  const auto gamma = datasets::simulated::autocovariances(units, 4);  // noise^2 memory^h / (1 - memory^2)
  for (std::size_t h = 0; h < gamma.size(); ++h)
    CHECK(std::abs(gamma[h](0, 0) - 4.0 / 0.75 * std::pow(0.5, h)) < kRounding);
  const datasets::simulated::LinearForecast forecast =
      datasets::simulated::best_forecast(units, 0, datasets::simulated::past_of({0}, 3));
  CHECK(std::abs(forecast.coefficients[0] - 0.5) < kRounding);
  CHECK(forecast.coefficients.tail(2).norm() < kRounding);
  CHECK(std::abs(forecast.variance - 4.0) < kRounding);
}

TEST_CASE("autocovariances satisfy the process' own equation", "[driven_units]") {
  constexpr double kRounding = 1e-11;
  const datasets::simulated::DrivenUnits units = two_units();
  const auto gamma = datasets::simulated::autocovariances(units, 6);
  for (Index h = 3; h <= 6; ++h) {  // beyond the longest lag no noise is shared
    Matrix<double> expected = Matrix<double>::Zero(2, 2);
    for (const datasets::simulated::LaggedLink& link : units.links)
      expected.row(link.target) += link.strength * gamma[h - link.lag].row(link.driver);
    CHECK((gamma[h] - expected).norm() < kRounding);
  }
  CHECK((gamma[0] - gamma[0].transpose()).norm() < kRounding);
}

TEST_CASE("a simulated series has the covariances that are predicted", "[driven_units][statistics]") {
  constexpr Index kSteps = 200000;
  constexpr double kSampling = 0.03;  // seed 3; 5 standard errors of a covariance of variables of size 1 to 2
  const datasets::simulated::DrivenUnits units = two_units();
  const Matrix<double> series = datasets::simulated::simulate(units, kSteps, Random(3));
  const auto gamma = datasets::simulated::autocovariances(units, 3);
  for (Index h = 0; h <= 3; ++h) {
    const Matrix<double> measured =
        series.bottomRows(kSteps - h).transpose() * series.topRows(kSteps - h) / static_cast<double>(kSteps - h);
    CHECK((measured - gamma[h]).cwiseAbs().maxCoeff() < kSampling);
  }
}

TEST_CASE("a forecast from all drivers leaves the unit's own noise, and finds the links", "[driven_units]") {
  constexpr double kRounding = 1e-10;
  const datasets::simulated::DrivenUnits units = two_units();
  const std::vector<datasets::simulated::PastValue> past = datasets::simulated::past_of({0, 1}, 4);
  for (Index target = 0; target < 2; ++target) {
    const datasets::simulated::LinearForecast forecast = datasets::simulated::best_forecast(units, target, past);
    const double noise = units.noise[target];
    CHECK(std::abs(forecast.variance - noise * noise) < kRounding);
    Vector<double> expected = Vector<double>::Zero(8);
    for (const datasets::simulated::LaggedLink& link : units.links)
      if (link.target == target) expected[4 * link.driver + link.lag - 1] = link.strength;
    CHECK((forecast.coefficients - expected).norm() < kRounding);
  }
}

TEST_CASE("a common driver links what it drives until it is known", "[driven_units]") {
  constexpr double kRounding = 1e-10;
  for (const double direct : {0.0, 0.5}) {
    datasets::simulated::CommonDriver settings;
    settings.direct = direct;
    const datasets::simulated::DrivenUnits units = datasets::simulated::driven_by_common(settings);
    const double alone = datasets::simulated::best_forecast(units, 1, datasets::simulated::past_of({1}, 5)).variance;
    CHECK(datasets::simulated::best_forecast(units, 1, datasets::simulated::past_of({1, 0}, 5)).variance < 0.6 * alone);
    const double with_z =
        datasets::simulated::best_forecast(units, 1, datasets::simulated::past_of({1, 2}, 5)).variance;
    const datasets::simulated::LinearForecast with_all =
        datasets::simulated::best_forecast(units, 1, datasets::simulated::past_of({1, 2, 0}, 5));
    CHECK(std::abs(with_all.variance - 0.25) < kRounding);  // its own noise
    CHECK(std::abs(with_all.coefficients[10 + 1] - direct) < kRounding);
    CHECK((with_z - with_all.variance > 0.01) == (direct != 0));
  }
}

TEST_CASE("the same random numbers give the same series, another start of it its continuation", "[driven_units]") {
  const datasets::simulated::DrivenUnits units = two_units();
  const Matrix<double> series = datasets::simulated::simulate(units, 50, Random(1));
  CHECK(series == datasets::simulated::simulate(units, 50, Random(1)));
  CHECK(series == datasets::simulated::simulate(units, 80, Random(1)).topRows(50));
  CHECK(series != datasets::simulated::simulate(units, 50, Random(2)));
}

TEST_CASE("units that cannot be are refused", "[driven_units][errors]") {
  datasets::simulated::DrivenUnits units = two_units();
  units.links[0].strength = 2;
  CHECK_THROWS_WITH(datasets::simulated::simulate(units, 10, Random(1)),
                    "driven units: the links let the units grow without bound; weaken them.");
  units.links[0] = {0, 2, 1, 0.5};
  CHECK_THROWS_WITH(datasets::simulated::autocovariances(units, 1),
                    "driven units: a link from unit 0 to unit 2, but there are 2 units, counted from 0.");
  units.links[0] = {0, 1, 0, 0.5};
  CHECK_THROWS_WITH(datasets::simulated::autocovariances(units, 1),
                    "driven units: a link with lag 0; it must be at least 1 step.");
  CHECK_THROWS_AS(datasets::simulated::best_forecast(two_units(), 0, {{0, 0}}), ArgumentError);
  datasets::simulated::CommonDriver settings;
  settings.lag_y = settings.lag_x;
  CHECK_THROWS_AS(datasets::simulated::driven_by_common(settings), ArgumentError);
}
