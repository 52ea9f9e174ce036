#include "fovea/domains/lag/pair/report.hpp"

#include "fovea/datasets/simulated/light_curves.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

constexpr std::size_t kShownLags = 301;

/// What is handed in of pairs with these lags.
Results report_of(const std::vector<double>& lags, std::vector<pair::PairOutcome>& outcomes) {
  pair::PairInputs inputs;
  pair::PairSettings settings;
  settings.draws = 0;
  settings.lag_low = -60;
  settings.lag_high = 60;
  for (const double lag : lags) {
    datasets::simulated::LightCurvePlan plan;
    plan.driver_points = 50;
    plan.response_points = 30;
    plan.span = 300;
    plan.seasons = 1;
    plan.gap = 0;
    plan.lag = lag;
    plan.driver_error = plan.response_error = 0.07;
    const datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, Random(1301));
    pair::PairInput input;
    input.driver = curves.curves[0];
    input.response = curves.curves[1];
    inputs.pairs.push_back(input);
    outcomes.push_back(pair::study_pair(input.driver, input.response, settings, Random(2)));
  }
  Results results;
  pair::write_pairs(inputs, outcomes, 0.01, results);
  return results;
}

double integral(const std::vector<double>& x, const std::vector<double>& y, std::size_t from) {
  double sum = 0;
  for (std::size_t i = 1; i < kShownLags; ++i) sum += (x[i] - x[i - 1]) * (y[from + i] + y[from + i - 1]) / 2;
  return sum;
}

}  // namespace

TEST_CASE("the picture of a posterior reaches as far as its mass", "[lag][pair][report]") {
  std::vector<pair::PairOutcome> outcomes;
  const Results results = report_of({21}, outcomes);
  const std::vector<double> lags = results.data.at("lag_near").reals(),
                            density = results.data.at("posterior_near").reals();
  const pair::LagPosterior& posterior = outcomes[0].posterior;
  REQUIRE(lags.size() == kShownLags);
  CHECK(lags.front() < posterior.interval95.low);
  CHECK(lags.back() > posterior.interval95.high);
  CHECK(lags.back() - lags.front() < 5 * (posterior.interval95.high - posterior.interval95.low));
  constexpr double kCorners = 0.02;  // of straight lines between cells, and 0.001 of the mass outside
  CHECK(std::abs(integral(lags, density, 0) - 1) < kCorners);
  CHECK(results.data.at("posterior").reals().size() == outcomes[0].lags.size());  // over the whole range
}

TEST_CASE("posteriors of several pairs lie about their medians", "[lag][pair][report]") {
  std::vector<pair::PairOutcome> outcomes;
  const Results results = report_of({21, -33}, outcomes);
  const std::vector<double> lags = results.data.at("lag_near").reals(),
                            density = results.data.at("posterior_near").reals();
  CHECK(lags.front() < 0);
  CHECK(lags.back() > 0);
  CHECK(lags.back() - lags.front() < 60);
  for (const std::size_t pair : {0, 1}) CHECK(std::abs(integral(lags, density, pair * kShownLags) - 1) < 0.02);
}
