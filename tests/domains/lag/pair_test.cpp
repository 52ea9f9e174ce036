#include "fovea/domains/lag/pair/outcome.hpp"
#include "fovea/tests/domains/lag/seasonal_plan.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

pair::PairSettings quick_settings() {
  pair::PairSettings settings;
  settings.draws = 19;
  settings.lag_low = -60;
  settings.lag_high = 60;
  return settings;
}

pair::PairOutcome quick_study(const datasets::series::CurveGroup& curves,
                              const pair::PairSettings& settings = quick_settings()) {
  return pair::study_pair(curves.curves[0], curves.curves[1], settings, Random(5));
}

}  // namespace

TEST_CASE("the posterior finds a known lag, and its intervals hold their mass", "[lag][pair]") {
  const pair::PairOutcome outcome =
      quick_study(datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1001)));
  const pair::LagPosterior& posterior = outcome.posterior;
  CHECK(std::abs(posterior.lag - 21) < 2.1);
  CHECK(posterior.interval95.holds(21));
  CHECK(posterior.interval95.low < posterior.interval68.low);
  CHECK(posterior.interval68.high < posterior.interval95.high);
  CHECK(std::abs(std::accumulate(posterior.mass.begin(), posterior.mass.end(), 0.0) - 1) < 1e-12);
  double held = 0, covered = 0;
  for (std::size_t i = 0; i < posterior.mass.size(); ++i) {
    covered += posterior.size[i];
    const double low = posterior.middle[i] - posterior.size[i] / 2, high = low + posterior.size[i];
    const double shared = std::min(high, posterior.interval68.high) - std::max(low, posterior.interval68.low);
    if (shared > 0) held += posterior.mass[i] * shared / posterior.size[i];
  }
  CHECK(std::abs(held - 0.6827) < 1e-9);
  CHECK(std::abs(covered - 120) < 1e-9);
  CHECK(outcome.alarm.probability == 1.0 / 20);  // none of 19 unrelated pairs looks as related
  CHECK(std::abs(outcome.attention_lag - 21) < 8);
  CHECK(std::abs(outcome.centroid.lag - 21) < 8);
}

TEST_CASE("half of the posterior lies below the lag", "[lag][pair]") {
  pair::PairSettings settings = quick_settings();
  settings.draws = 0;
  const pair::LagPosterior posterior =
      quick_study(datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1001)), settings)
          .posterior;
  double below = 0;
  for (std::size_t i = 0; i < posterior.mass.size(); ++i) {
    const double part = (posterior.lag - posterior.middle[i]) / posterior.size[i] + 0.5;
    below += posterior.mass[i] * std::clamp(part, 0.0, 1.0);
  }
  CHECK(std::abs(below - 0.5) < 1e-9);
}

TEST_CASE("where curves say nothing, the posterior is the prior: the squared overlap", "[lag][pair]") {
  datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1007));
  for (datasets::series::Curve& curve : curves.curves)
    for (double& error : curve.error) error = 30;
  const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
  pair::PosteriorSettings settings;
  settings.low = -250;
  settings.high = 250;
  const pair::LagPosterior posterior = pair::lag_posterior(x, y, settings);
  double scale = 0;
  std::vector<double> prior;
  for (std::size_t i = 0; i < posterior.mass.size(); ++i) {
    const double overlap = std::max(0.02, pair::overlap_at(posterior.middle[i], x, y));
    prior.push_back(overlap * overlap * posterior.size[i]);
    scale += prior.back();
  }
  double apart = 0;  // total variation
  for (std::size_t i = 0; i < prior.size(); ++i) apart += std::abs(posterior.mass[i] - prior[i] / scale) / 2;
  CHECK(apart < 0.05);
}

TEST_CASE("a pair's model hands every number to the walk in the curve's units", "[lag][pair][twin]") {
  const datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1008));
  const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
  pair::PairModel model(x, y, 0);
  const pair::WalkNumbers numbers{3, 0.2, -0.3, 0.7, 1.1};
  DelayedWalkParameters p;
  p.damping_time = std::exp(3);
  p.deviation = std::exp(0.2);
  p.scale = std::exp(-0.3);
  p.lag = 17;
  p.driver_variance = std::pow(x.typical_error * std::exp(0.7), 2);
  p.response_variance = std::pow(y.typical_error * std::exp(1.1), 2);
  constexpr double kRounding = 1e-8;  // of exp
  for (const pair::EchoWindow& window : {pair::EchoWindow{0, 0}, pair::EchoWindow{9, 0}, pair::EchoWindow{0, 6}}) {
    p.width = window.width;
    p.tail = window.tail;
    CHECK(std::abs(model.log_likelihood(17, window, numbers) -
                   DelayedWalk(x.samples(), y.samples()).log_likelihood(p)) < kRounding);
  }
}

TEST_CASE("an echo with an exponential tail is told by its mean", "[lag][pair]") {
  datasets::simulated::LightCurvePlan plan = support::seasonal_plan(50, 30, 60);
  plan.response_points = 60;
  datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(plan, Random(1009));  // the moments and errors; the values are made anew
  std::vector<double> fine;
  for (int i = 0; i < 2000; ++i) fine.push_back(-100 + 0.25 * i);
  const std::vector<double> walk = datasets::simulated::damped_random_walk(fine, plan.damping_time, Random(1010));
  const auto at = [&](double t) { return walk[static_cast<std::size_t>(4 * (t + 100))]; };
  datasets::series::Curve &driver = curves.curves[0], &response = curves.curves[1];
  const Random noise(1011);
  for (std::size_t i = 0; i < driver.time.size(); ++i)
    driver.value[i] = at(driver.time[i]) + driver.error[i] * noise.normal(i, 0);
  constexpr int kParts = 40;  // quantiles of an exponential of 9 days that begins after 12
  for (std::size_t j = 0; j < response.time.size(); ++j) {
    response.value[j] = response.error[j] * noise.normal(j, 1);
    for (int part = 0; part < kParts; ++part)
      response.value[j] += at(response.time[j] - 12 + 9 * std::log(1 - (part + 0.5) / kParts)) / kParts;
  }
  pair::PairSettings settings = quick_settings();
  settings.draws = 0;
  settings.tails = true;
  const pair::LagPosterior posterior = quick_study(curves, settings).posterior;
  CHECK(std::abs(posterior.lag - 21) < 2.5);
  CHECK(posterior.window.tail > 0);
}

TEST_CASE("unrelated curves are no alarm", "[lag][pair]") {
  datasets::simulated::LightCurvePlan plan = support::seasonal_plan(50, 30, 60);
  plan.related = false;
  CHECK(quick_study(datasets::simulated::light_curves(plan, Random(1002))).alarm.probability > 0.05);
}

namespace {

/// Mean squared difference of neighbours: large for noisy curves, small for smooth ones.
double roughness(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 1; i < values.size(); ++i) sum += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  return sum / static_cast<double>(values.size() - 1);
}

double median_of_ratios(std::vector<double> ratios) {
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  return ratios[ratios.size() / 2];
}

}  // namespace

TEST_CASE("drawn unrelated curves are as rough as the measured ones: noisy, and smooth where those are",
          "[lag][pair][statistics]") {
  datasets::simulated::LightCurvePlan plan = support::seasonal_plan(50, 30, 60);
  plan.related = false;
  plan.damping_time = 30;
  plan.response_points = 60;
  struct Kind {
    double error, width;
  };
  for (const Kind& kind : {Kind{0.5, 0}, Kind{0.02, 25}}) {
    plan.driver_error = plan.response_error = kind.error;
    plan.width = kind.width;
    const datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(1006));
    const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
    pair::PairModel model(x, y, 0);
    pair::LagPosterior posterior;
    posterior.driver = model.driver_alone();
    posterior.response = model.response_alone();
    std::vector<double> of_driver, of_response;
    for (const pair::UnrelatedPair& pair : pair::unrelated_pairs(x, y, {-60, 60}, posterior, 0, 99, Random(7))) {
      of_driver.push_back(roughness(pair.driver) / roughness(x.value));
      of_response.push_back(roughness(pair.response) / roughness(y.value));
    }
    CAPTURE(kind.error, kind.width);
    CHECK(std::abs(std::log(median_of_ratios(of_driver))) < std::log(1.6));
    CHECK(std::abs(std::log(median_of_ratios(of_response))) < std::log(1.6));
  }
}

TEST_CASE("what a pair is told has the same bits for any number of threads", "[lag][pair][threads][long]") {
  const datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1003));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const pair::PairOutcome one = quick_study(curves);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    const pair::PairOutcome many = quick_study(curves);
    CHECK(one.posterior.mass == many.posterior.mass);
    CHECK(one.alarm.drawn == many.alarm.drawn);
    CHECK(one.centroid.interval68.low == many.centroid.interval68.low);
    CHECK(one.band.high[120] == many.band.high[120]);
  }
  omp_set_num_threads(before);
}

TEST_CASE("a mirrored response, later and in other units, has the same lag, only later", "[lag][pair][property]") {
  const datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1004));
  datasets::series::CurveGroup changed = curves;
  for (double& value : changed.curves[1].value) value = 3 - 4 * value;
  for (double& error : changed.curves[1].error) error *= 4;
  for (double& t : changed.curves[1].time) t += 8;
  pair::PairSettings settings = quick_settings();
  settings.draws = 0;
  const pair::PairOutcome plain = quick_study(curves, settings);
  settings.negative = true;
  settings.lag_low += 8;
  settings.lag_high += 8;
  const pair::PairOutcome later = quick_study(changed, settings);
  constexpr double kRounding = 1e-3;  // of moments, where a fit stops one step earlier
  CHECK(std::abs(later.posterior.lag - plain.posterior.lag - 8) < kRounding);
  CHECK(std::abs(later.centroid.lag - plain.centroid.lag - 8) < kRounding);
  CHECK(std::abs(later.bandwidth - plain.bandwidth) < kRounding);
  CHECK(plain.alarm.probability == 1);  // without drawn pairs nothing is known
}

TEST_CASE("straight lines do not hide a lag where they are taken off", "[lag][pair]") {
  datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1005));
  for (datasets::series::Curve& curve : curves.curves)
    for (std::size_t i = 0; i < curve.time.size(); ++i) curve.value[i] += 0.05 * curve.time[i];
  pair::PairSettings settings = quick_settings();
  settings.draws = 0;
  settings.detrend = true;
  CHECK(std::abs(quick_study(curves, settings).posterior.lag - 21) < 3);
}

TEST_CASE("the overlap counts points that meet the driver's seasons", "[lag][pair]") {
  pair::ScaledCurve driver, response;
  for (int t = 0; t <= 100; ++t)
    if (t <= 40 || t >= 60) driver.time.push_back(t);
  for (int t = 5; t < 45; ++t) response.time.push_back(t + 0.5);  // 40 points
  CHECK(pair::overlap_at(0, driver, response) == 35.0 / 40);
  CHECK(pair::overlap_at(5, driver, response) == 1);
  CHECK(pair::overlap_at(-30, driver, response) == 5.0 / 40 + 15.0 / 40);
  CHECK(pair::overlap_at(200, driver, response) == 0);
}

TEST_CASE("interpolated and discrete correlation are 1 at the lag of an exact echo", "[lag][pair]") {
  datasets::series::Curve driver{"driver", {}, {}, {}}, response{"response", {}, {}, {}};
  for (int t = 0; t < 120; ++t) {
    driver.time.push_back(t);
    driver.value.push_back(std::sin(t * 0.11) + 0.5 * std::sin(t * 0.31));
    response.time.push_back(t + 7);
    response.value.push_back(2 * driver.value.back());
  }
  driver.error.assign(120, 0);
  response.error.assign(120, 0);
  const pair::ScaledCurve x = pair::scaled_curve(driver), y = pair::scaled_curve(response);
  const std::vector<double> lags = pair::spread_lags({-20, 20}, 41);
  const std::vector<double> profile = pair::interpolated_correlation(x, y, lags);
  CHECK(std::abs(profile[27] - 1) < 1e-12);
  CHECK(std::max_element(profile.begin(), profile.end()) - profile.begin() == 27);
  CHECK(std::abs(pair::centroid_of(lags, profile) - 7) < 0.5);
  const pair::DiscreteCorrelation discrete = pair::discrete_correlation(x, y, {-20, 20}, 80);
  const auto top = std::max_element(discrete.value.begin(), discrete.value.end()) - discrete.value.begin();
  CHECK(std::abs(discrete.lag[top] - 7) < 1e-9);
  CHECK(discrete.low[top] <= discrete.high[top]);
  const pair::AttentionProfile attention(x, y);
  CHECK(attention.bandwidth() < 2);  // without noise next to nothing is smoothed
  CHECK(attention.correlations(lags, x.value, y.value)[27] > 0.999);
}

TEST_CASE("the search for the lag of a pair says how far it is, in ascending steps", "[lag][pair]") {
  const datasets::series::CurveGroup curves =
      datasets::simulated::light_curves(support::seasonal_plan(50, 30, 60), Random(1003));
  pair::PairSettings settings = quick_settings();
  std::vector<double> told;
  settings.told = [&](double part) { told.push_back(part); };
  quick_study(curves, settings);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.front() < 0.05);
  CHECK(told.back() == 1);
  for (std::size_t i = 1; i + 1 < told.size(); ++i) CHECK(told[i] - told[i - 1] < 0.1);
}

TEST_CASE("the centroid is about the largest value, down to 0.8 of it", "[lag][pair]") {
  CHECK(std::abs(pair::centroid_of({0, 1, 2, 3, 4, 5}, {0.9, 0.1, 0.8, 1.0, 0.9, 0.1}) - (1.6 + 3 + 3.6) / 2.7) <
        1e-12);
  CHECK(std::isnan(pair::centroid_of({0, 1}, {-0.5, -0.2})));
  const pair::Interval top = pair::top_of({0, 1, 2, 3, 4, 5}, {0.9, 0.1, 0.8, 1.0, 0.9, 0.1});
  CHECK(top.low == 1);
  CHECK(top.high == 5);
  CHECK(pair::top_of({0, 1}, {0.9, 1}).high == 1);  // no lag more at the ends
  CHECK(std::isnan(pair::top_of({0, 1}, {-0.5, -0.2}).low));
}

TEST_CASE("a pair says what is wrong with its curves", "[lag][pair][error]") {
  const datasets::series::Curve good{"good", {1, 2, 3, 4, 5}, {1, 3, 2, 5, 1}, {0, 0, 0, 0, 0}};
  const auto study = [&](const datasets::series::Curve& driver, const pair::PairSettings& settings = {}) {
    return pair::study_pair(driver, good, settings, Random(1));
  };
  CHECK_THROWS_WITH(study({"short", {1, 2, 3}, {1, 2, 1}, {0, 0, 0}}),
                    "pair: the curve 'short' has 3 points; a lag needs at least 4.");
  CHECK_THROWS_WITH(study({"flat", {1, 2, 3, 4}, {2, 2, 2, 2}, {0, 0, 0, 0}}),
                    "pair: the curve 'flat' is constant, so that it has no lag.");
  CHECK_THROWS_WITH(study({"back", {1, 3, 2, 4}, {2, 1, 2, 2}, {0, 0, 0, 0}}),
                    "pair: the times of 'back' must ascend; sort them.");
  pair::PairSettings settings;
  settings.lag_low = 5;
  settings.lag_high = 2;
  CHECK_THROWS_AS(study(good, settings), ArgumentError);
  settings.lag_low = 100;
  settings.lag_high = 200;
  CHECK_THROWS_AS(study(good, settings), ArgumentError);
}
