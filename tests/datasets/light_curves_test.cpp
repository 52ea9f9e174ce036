#include "fovea/datasets/simulated/light_curves.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("a damped random walk has variance 1 and an exponential autocorrelation", "[light_curves][statistics]") {
  constexpr std::size_t kSteps = 20000;  // seed 1; 2000 damping times: standard error of the variance 0.03
  std::vector<double> time;
  for (std::size_t i = 0; i < kSteps; ++i) time.push_back(static_cast<double>(i));
  const std::vector<double> walk = datasets::simulated::damped_random_walk(time, 10, Random(1));
  double variance = 0, product = 0;
  for (std::size_t i = 0; i + 10 < kSteps; ++i) {
    variance += walk[i] * walk[i] / kSteps;
    product += walk[i] * walk[i + 10] / kSteps;
  }
  CHECK(std::abs(variance - 1) < 0.1);
  CHECK(std::abs(product - std::exp(-1)) < 0.1);
}

TEST_CASE("a smoothed walk has the covariance of means over a top hat", "[light_curves][statistics]") {
  constexpr double kWidth = 8, kTau = 30;
  constexpr std::uint64_t kDraws = 20000;  // seeds 0 to 19999; standard errors below 0.01
  const std::vector<double> time{0, 3, 5, 20};
  std::vector<double> covariance(time.size(), 0.0);
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const std::vector<double> walk = datasets::simulated::smoothed_random_walk(time, kWidth, kTau, Random(draw));
    for (std::size_t i = 0; i < time.size(); ++i) covariance[i] += walk[0] * walk[i] / kDraws;
  }
  const auto twice = [](double d) { return kTau * kTau * (std::exp(-std::abs(d) / kTau) + std::abs(d) / kTau); };
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double d = time[i];
    CAPTURE(d);
    CHECK(std::abs(covariance[i] - (twice(d + kWidth) - 2 * twice(d) + twice(d - kWidth)) / (kWidth * kWidth)) < 0.03);
  }
  CHECK(datasets::simulated::smoothed_random_walk(time, 0, kTau, Random(1)) ==
        datasets::simulated::damped_random_walk(time, kTau, Random(1)));
}

TEST_CASE("without noise and width the response is the driver, later", "[light_curves]") {
  datasets::simulated::LightCurvePlan plan;
  plan.driver_points = 3000;  // dense, so that the driver's neighbours tell what it was in between
  plan.driver_error = plan.response_error = plan.width = 0;
  plan.seasons = 1;
  plan.scale = 2;
  const datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(2));
  const datasets::series::Curve &driver = curves.curves[0], &response = curves.curves[1];
  double worst = 0;
  for (std::size_t j = 0; j < response.time.size(); ++j) {
    const double at = response.time[j] - plan.lag;
    const auto next = std::lower_bound(driver.time.begin(), driver.time.end(), at) - driver.time.begin();
    if (next == 0 || next == static_cast<std::ptrdiff_t>(driver.time.size())) continue;
    const double expected = 2 * driver.value[next];
    worst = std::max(worst, std::abs(response.value[j] - expected));
  }
  CHECK(worst < 2 * 4 * std::sqrt(2 * 3.0 / 100));  // 4 standard deviations of a step over 3 of 100 days
}

TEST_CASE("points lie in the seasons and ascend; errors are as planned", "[light_curves]") {
  datasets::simulated::LightCurvePlan plan;
  plan.scale = 3;
  for (const datasets::series::Curve& curve : datasets::simulated::light_curves(plan, Random(3)).curves) {
    CHECK(std::is_sorted(curve.time.begin(), curve.time.end()));
    CHECK(curve.time.size() == curve.value.size());
    const double season = (plan.span - 3 * plan.gap) / 4;
    for (const double t : curve.time) CHECK(std::fmod(t, season + plan.gap) <= season);
    CHECK(std::abs(curve.error[0] - (curve.name == "driver" ? 0.1 : 0.45)) < 1e-12);
  }
}

namespace {

/// Errors of a driver in units of the stated ones: what it is with errors, less what it is without.
std::vector<double> errors_by(const datasets::simulated::ErrorPlan& errors) {
  datasets::simulated::LightCurvePlan plan;
  plan.driver_points = 20000;
  plan.seasons = 1;
  plan.errors = errors;
  plan.driver_error = 0.25;
  const datasets::series::CurveGroup noisy = datasets::simulated::light_curves(plan, Random(4));
  plan.driver_error = 0;
  const datasets::series::CurveGroup clean = datasets::simulated::light_curves(plan, Random(4));
  std::vector<double> found;
  for (std::size_t i = 0; i < noisy.curves[0].value.size(); ++i) {
    CHECK(noisy.curves[0].error[i] == 0.25);
    found.push_back((noisy.curves[0].value[i] - clean.curves[0].value[i]) / 0.25);
  }
  return found;
}

double share_farther(const std::vector<double>& errors, double bound) {
  return static_cast<double>(
             std::count_if(errors.begin(), errors.end(), [&](double e) { return std::abs(e) > bound; })) /
         static_cast<double>(errors.size());
}

}  // namespace

TEST_CASE("errors are those of the plan: normal, too small by a factor, heavy-tailed, with outliers",
          "[light_curves][statistics][long]") {
  // seed 4, 20000 errors each: standard errors of the shares below 0.0036
  CHECK(std::abs(share_farther(errors_by({}), 1) - 0.3173) < 0.012);
  CHECK(std::abs(share_farther(errors_by({2, 0, 0}), 2) - 0.3173) < 0.012);
  const std::vector<double> tails = errors_by({1, 3, 0});  // Student's t of 3 degrees: P(|t| > 3.182) = 0.05
  CHECK(std::abs(share_farther(tails, 3.182) - 0.05) < 0.006);
  CHECK(std::abs(share_farther(tails, 0.765) - 0.5) < 0.012);
  const std::vector<double> outliers = errors_by({1, 0, 0.04});
  CHECK(std::abs(share_farther(outliers, 3.9) - 0.04) < 0.005);
  CHECK(std::abs(share_farther(outliers, 7.5) - 0.02) < 0.004);
  CHECK(share_farther(outliers, 15) == 0);
}

TEST_CASE("plans that cannot be are refused", "[light_curves][error]") {
  datasets::simulated::LightCurvePlan plan;
  plan.gap = 500;
  CHECK_THROWS_WITH(datasets::simulated::light_curves(plan, Random(1)),
                    "light curves: 4 seasons with gaps of 500 days do not fit into 1100 days.");
  plan = {};
  plan.driver_points = 1;
  CHECK_THROWS_AS(datasets::simulated::light_curves(plan, Random(1)), ArgumentError);
  plan = {};
  plan.errors.outliers = 1.5;
  CHECK_THROWS_WITH(datasets::simulated::light_curves(plan, Random(1)),
                    "light curves: the errors' factor is 1, their degrees 0, the share of outliers 1.5; they must be > "
                    "0, >= 0, 0 to 1.");
}
