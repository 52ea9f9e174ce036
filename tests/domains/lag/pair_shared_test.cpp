/// Simulated curves of others, whose lag is known: what examined the method, once.

#include "fovea/datasets/series/file.hpp"
#include "fovea/domains/lag/pair/posterior.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

TEST_CASE("the lags of JAVELIN's simulated quasar are found in spite of its seasonal gaps", "[lag][pair][shared]") {
  const auto file = support::shared_data("lag/irregular/javelin_mock.csv.gz");
  if (!file) return;
  const datasets::series::SeriesFile series = datasets::series::read_series(file->string());
  REQUIRE(series.irregular());
  const auto curve = [&](const char* name) {
    const auto& curves = series.groups.at(0).curves;
    return pair::scaled_curve(
        *std::find_if(curves.begin(), curves.end(), [&](const datasets::series::Curve& c) { return c.name == name; }));
  };
  struct Known {
    const char* response;
    double lag, within;
  };
  for (const Known& known : {Known{"yelm", 100, 3}, Known{"zing", 250, 5}}) {
    pair::PosteriorSettings settings;
    settings.low = 0;  // half of the default range: the test is short
    settings.high = 500;
    const pair::LagPosterior posterior = pair::lag_posterior(curve("continuum"), curve(known.response), settings);
    CHECK(std::abs(posterior.lag - known.lag) < known.within);
    CHECK(posterior.interval95.holds(known.lag));
  }
}
