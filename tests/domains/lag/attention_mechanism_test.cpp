/// lag.attention: the theory against closed forms, the forecaster against plain loops, and the experiment in tiny.

#include "fovea/core/config/config.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/lag/delay/forecaster.hpp"
#include "fovea/domains/lag/delay/theory.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

constexpr double kIntegrated = 1e-8;     ///< the stated error of the integral
constexpr double kFloatForecast = 2e-5;  ///< a softmax of 6 numbers and a sum of 6 products in float

Results tiny_attention_run(const std::string& toml) { return support::run_of("lag.attention", toml, 5); }

const std::string kTinyAttention =
    "longest_delay = 8\nsteps = 100\nmoderate_noise = 0.3\nnoise = [0.3, 40.0]\nkey_columns = 8\n[training]\nsteps = "
    "40\n";

}  // namespace

TEST_CASE("without an effect every one of the estimates is the largest equally often", "[lag]") {
  for (const Index others : {0, 1, 7, 49})
    CHECK(std::abs(delay::chance_of_largest(0, others) - 1 / static_cast<double>(others + 1)) < kIntegrated);
}

TEST_CASE("of two estimates the right one is the larger with the chance of two independent signs", "[lag]") {
  // |z + m| > |z'| where (z + m - z') and (z + m + z'), independent, have the same sign
  for (const double mean : {0.3, 1.0, 2.5, 6.0}) {
    const double above = normal_cdf(mean / std::sqrt(2.0));
    CHECK(std::abs(delay::chance_of_largest(mean, 1) - (above * above + (1 - above) * (1 - above))) < kIntegrated);
  }
  CHECK(delay::chance_of_largest(30, 49) == Approx(1).epsilon(kIntegrated));
}

TEST_CASE("the mean for a chance has that chance", "[lag]") {
  for (const double chance : {0.1, 0.9})
    CHECK(delay::chance_of_largest(delay::mean_for_chance(chance, 49), 49) == Approx(chance).epsilon(kIntegrated));
  CHECK_THROWS_AS(delay::mean_for_chance(0.01, 49), ArgumentError);
}

TEST_CASE("the attention forecaster says what its equation says", "[lag]") {
  constexpr Index kLags = 6, kResponses = 3, kColumns = 4, kSteps = 12;
  const Random random(11);
  delay::DrivenSeries series{Vector<double>(kSteps), Matrix<double>(kSteps, kResponses)};
  for (Index t = 0; t < kSteps; ++t) {
    series.driver[t] = random.normal(0, static_cast<std::uint64_t>(t));
    for (Index r = 0; r < kResponses; ++r)
      series.responses(t, r) = random.normal(static_cast<std::uint64_t>(r + 1), static_cast<std::uint64_t>(t));
  }
  learning::Parameters<float> parameters;
  const delay::AttentionForecaster forecaster(parameters, kResponses, {kLags, kColumns, delay::ForecastContent::plain},
                                              random);
  for (std::size_t k = 0; k < parameters.values().size(); ++k)
    parameters.values()[k] = static_cast<float>(random.stream("parameters").normal(k));
  const auto learned = [&](const char* name) -> Matrix<double> {
    return parameters.matrix(parameters.at(name).place).cast<double>();
  };
  learning::Tape<float> tape;
  tape.begin(&parameters, {});
  const std::vector<Index> steps{6, 9, 11};
  const Matrix<float> forecasts = forecaster.parts(tape, series, steps).forecasts.value();
  for (std::size_t e = 0; e < steps.size(); ++e)
    for (Index r = 0; r < kResponses; ++r) {
      const Matrix<double> query = learned("queries").row(r) + series.responses(steps[e] - 1, r) * learned("told");
      double sum = 0, total = 0;
      for (Index lag = 1; lag <= kLags; ++lag) {
        const double x = series.driver[steps[e] - lag];
        const Matrix<double> key = learned("keys").row(lag - 1) + x * learned("judged");
        const double score = query.cwiseProduct(key).sum() / std::sqrt(static_cast<double>(kColumns));
        sum += std::exp(score) * x;
        total += std::exp(score);
      }
      const double wanted = learned("gain")(r, 0) * sum / total + learned("shift")(r, 0);
      CHECK(std::abs(static_cast<double>(forecasts(static_cast<Index>(e) * kResponses + r, 0)) - wanted) <
            kFloatForecast);
    }
}

TEST_CASE("before training attention over lags is even", "[lag]") {
  delay::DrivenSeries series{Vector<double>::LinSpaced(20, -1, 1), Matrix<double>::Random(20, 2)};
  learning::Parameters<float> parameters;
  const delay::AttentionForecaster forecaster(parameters, 2, {5, 4, delay::ForecastContent::curved}, Random(3));
  const Matrix<double> attention = delay::attention_over_lags(parameters, forecaster, series);
  CHECK((attention.array() - 0.2).abs().maxCoeff() < 1e-6);
}

TEST_CASE("trained attention finds every delay at little noise, and guesses where there is nothing but noise",
          "[lag]") {
  const Results results = tiny_attention_run(kTinyAttention);
  for (const double found : results.data.at("found_at_moderate_noise").reals()) CHECK(found == 1);
  const std::vector<double>& found = results.data.at("found").reals();  // case x noise
  for (const std::size_t c : {0U, 1U, 2U}) {
    CHECK(found[2 * c] == 1);
    CHECK(found[2 * c + 1] < 0.6);  // eight guesses among eight: five right has a chance of 0.1 %
  }
  // 100 steps less 8 lags are free, and 7 other lags could be the largest
  CHECK(results.data.at("predicted").reals()[1] == delay::chance_of_largest(std::sqrt(92.0) / 40, 7));
}

TEST_CASE("lag.attention has the same bits with 1, 2 and 3 threads", "[lag][threads]") {
  const int before = omp_get_max_threads();
  std::vector<std::string> hashes;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    hashes.push_back(content_hash(
        tiny_attention_run("longest_delay = 4\nsteps = 30\nnoise = [0.5, 4.0]\n[training]\nsteps = 4\n").data));
  }
  omp_set_num_threads(before);
  CHECK(hashes == std::vector<std::string>(3, hashes[0]));
}
