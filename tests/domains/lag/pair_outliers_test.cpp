#include "fovea/domains/lag/pair/outliers.hpp"

#include "fovea/domains/lag/pair/outcome.hpp"
#include "fovea/tests/domains/lag/seasonal_plan.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

pair::PosteriorSettings near_lags() {
  pair::PosteriorSettings settings;
  settings.low = -60;
  settings.high = 60;
  return settings;
}

}  // namespace

TEST_CASE("a point far off its neighbours weighs less, all others as stated", "[lag][pair][outliers]") {
  datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(70, 40, 80), Random(1201));
  datasets::series::Curve& driver = curves.curves[0];
  driver.value[30] += 14 * driver.error[30];
  const pair::ScaledCurve stated = pair::scaled_curve(driver), weighed = pair::outliers_weighed(stated, 0);
  CHECK(weighed.stated_variance == stated.variance);
  CHECK(weighed.variance[30] > 20 * stated.variance[30]);
  for (std::size_t i = 0; i < stated.variance.size(); ++i) {
    CHECK(weighed.variance[i] >= stated.variance[i] * (1 - 1e-9));
    if (i < 28 || i > 32) CHECK(weighed.variance[i] < 3 * stated.variance[i]);
  }
}

TEST_CASE("weights are the precisions that the likelihood leads to expect", "[lag][pair][outliers][twin]") {
  datasets::simulated::LightCurvePlan plan = support::seasonal_plan(70, 40, 80);
  plan.errors.outliers = 0.1;
  const datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(1202));
  pair::ScaledCurve curve = pair::scaled_curve(curves.curves[0]);
  pair::PairModel model(curve, curve, 0);
  const pair::WalkNumbers numbers{std::log(80.0), 0, 0, -2, -2};
  const double further = pair::further_variance(curve, numbers.log_driver_error);
  pair::ScaledCurve before = curve;
  const std::size_t likely = pair::weigh_outliers(curve, further, [&] { return model.driver_likelihood(numbers); });
  // the density of the first point given all others is a ratio of likelihoods, good and bad mixed by Bayes' rule
  pair::PairModel of_stated(before, before, 0);
  const double good = of_stated.driver_likelihood(numbers), v = before.variance[0] + further;
  before.variance[0] = 49 * v - further;
  const double bad = of_stated.driver_likelihood(numbers);
  const double odds = 0.03 / 0.97 * std::exp(bad - good), outlier = odds / (1 + odds);
  CHECK(std::abs((curve.variance[0] + further) / (v / (1 - outlier + outlier / 49)) - 1) < 1e-7);  // rounding of exp
  std::size_t sum = 0;
  for (std::size_t i = 0; i < curve.variance.size(); ++i) {
    const double precision = (curve.stated_variance[i] + further) / (curve.variance[i] + further);
    sum += (1 - precision) / (1 - 1.0 / 49) > 0.5 ? 1 : 0;
  }
  CHECK(sum == likely);
  CHECK(likely > 2);  // of 7 on average, some of them within what the walk may do
}

TEST_CASE("outliers of the response are found by what the driver was", "[lag][pair][outliers]") {
  datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(70, 40, 80), Random(1203));
  datasets::series::Curve& response = curves.curves[1];
  for (const std::size_t i : {6, 17, 28}) response.value[i] += (i == 17 ? -14 : 14) * response.error[i];
  const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(response);
  pair::PosteriorSettings settings = near_lags();
  const pair::LagPosterior found = pair::lag_posterior(x, y, settings);
  CHECK(found.response_outliers == 3);
  CHECK(found.driver_outliers == 0);
  CHECK(found.interval95.holds(21));
  settings.outliers = false;
  const pair::LagPosterior plain = pair::lag_posterior(x, y, settings);
  CHECK(plain.response_outliers == 0);
  CHECK(found.interval68.high - found.interval68.low < plain.interval68.high - plain.interval68.low);
}
