#include "fovea/domains/lag/pair/draws.hpp"

#include "fovea/datasets/simulated/light_curves.hpp"
#include "fovea/domains/lag/pair/posterior.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

/// Errors three hundred times the signal: the curves say nothing about the walk.
datasets::series::CurveGroup silent_curves() {
  datasets::simulated::LightCurvePlan plan;
  plan.driver_points = 40;
  plan.response_points = 25;
  plan.driver_error = plan.response_error = 0;
  datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(1101));
  for (datasets::series::Curve& curve : curves.curves)
    for (double& error : curve.error) error = 300;
  return curves;
}

}  // namespace

TEST_CASE("where curves say nothing, draws with their weights are the prior", "[lag][pair][statistics]") {
  const datasets::series::CurveGroup curves = silent_curves();
  const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
  pair::PairModel model(x, y, 0);
  const pair::WalkNumbers centre{std::log(1100 / 10.0), 0, 0, -2, -2};  // of the prior
  constexpr int kDraws = 8192;  // fixed; wider than the prior, so that the weights are bounded
  const std::vector<pair::NumbersDraw> draws =
      pair::draw_numbers(model, centre, 0.4 * pair::NumbersMatrix::Identity(), kDraws);
  double weights = 0, deviation = 0, scale = 0;
  for (const pair::NumbersDraw& draw : draws) {
    const double weight =
        std::exp(draw.log_weight + model.log_likelihood(0, {}, draw.numbers) - model.log_likelihood(0, {}, centre));
    weights += weight;
    deviation += weight * draw.numbers.log_deviation * draw.numbers.log_deviation;
    scale += weight * draw.numbers.log_scale * draw.numbers.log_scale;
  }
  CHECK(std::abs(deviation / weights - 1) < 0.1);  // the prior's variance; standard error 0.03
  CHECK(std::abs(scale / weights - 1) < 0.1);
}

TEST_CASE("the posterior is the likelihood averaged over the prior, by brute force", "[lag][pair][twin][long]") {
  datasets::simulated::LightCurvePlan plan;
  plan.driver_points = 12;
  plan.response_points = 8;
  plan.span = 100;
  plan.seasons = 1;
  plan.gap = 0;
  plan.damping_time = 30;
  plan.lag = 8;
  plan.width = 3;
  plan.driver_error = plan.response_error = 0.5;  // little is known, so that the prior matters
  pair::PosteriorSettings settings;
  settings.low = -30;
  settings.high = 30;
  settings.draws = 256;
  settings.outliers = false;
  constexpr std::uint64_t kDraws = 1000;  // from the prior, seed 99
  for (const std::uint64_t seed : {4U, 5U}) {
    const datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(seed));
    const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
    const pair::LagPosterior found = pair::lag_posterior(x, y, settings);
    pair::PairModel model(x, y, 0);
    const double span = std::max(x.time.back() - x.time.front(), y.time.back() - y.time.front());
    const std::vector<pair::EchoWindow> windows = pair::echo_windows(y, 60, false);
    std::vector<double> mass(found.mass.size());
    double sum = 0;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      const auto z = [&](std::uint64_t which) { return Random(99).normal(draw, which); };
      const pair::WalkNumbers numbers{std::log(span / 10) + 2 * z(0), z(1), z(2), -2 + 2 * z(3), -2 + 2 * z(4)};
      for (std::size_t i = 0; i < mass.size(); ++i)
        for (const pair::EchoWindow& window : windows)
          mass[i] += std::exp(model.log_likelihood(found.middle[i], window, numbers));
    }
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double overlap = std::max(0.02, pair::overlap_at(found.middle[i], x, y));
      sum += mass[i] *= found.size[i] * overlap * overlap;
    }
    double apart = 0;  // total variation
    for (std::size_t i = 0; i < mass.size(); ++i) apart += std::abs(mass[i] / sum - found.mass[i]) / 2;
    CAPTURE(seed);
    CHECK(apart < 0.018);  // 0.013 and 0.009; weights without the prior or without q: 0.024 to 0.037
  }
}

TEST_CASE("the curvature where curves say nothing is that of the prior", "[lag][pair]") {
  const datasets::series::CurveGroup curves = silent_curves();
  const pair::ScaledCurve x = pair::scaled_curve(curves.curves[0]), y = pair::scaled_curve(curves.curves[1]);
  pair::PairModel model(x, y, 0);
  const pair::WalkNumbers at{std::log(1100 / 10.0), 0, 0, -6, -6};  // further errors that are none
  const pair::NumbersMatrix found = pair::numbers_curvature(model, 0, {}, at);
  CHECK(std::abs(found(0, 0) - 0.25) < 0.01);  // standard deviation 2
  CHECK(std::abs(found(1, 1) - 1) < 0.01);
  CHECK(std::abs(found(2, 2) - 1) < 0.01);
  CHECK(std::abs(found(0, 1)) < 0.01);
}
