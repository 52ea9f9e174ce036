#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/domains/opinion/fit/model.hpp"
#include "fovea/domains/opinion/fit/motion.hpp"
#include "fovea/domains/opinion/fit/search.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/opinion/survey_waves.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kOfDifferences = 1e-5;  // central differences with h = 1e-4: h^2 times third derivatives of order 100
constexpr double kOfTrapezoids = 1e-4;   // 81 nodes reach 4.5 standard deviations: 7e-6 of the mass is cut off
constexpr double kOfRounding = 1e-12;

/// log T, logit s, drift, growth, log noise, then two components: off every special value.
const std::vector<double> kTwoCamps{std::log(0.15), -1.7, 0.03, -0.05, std::log(0.2), -0.7, -0.6, 0.5, -0.9, 0.3};

std::vector<fit::MeasuredPeriod> some_samples(Index periods) {
  std::vector<fit::MeasuredPeriod> samples;
  const Random random(5);
  for (Index t = 0; t < periods; ++t) {
    std::vector<double> values;
    for (std::uint64_t k = 0; k < 15; ++k) values.push_back(random.normal(k, static_cast<std::uint64_t>(t)));
    samples.push_back(fit::measured_period(values, 1e-6));
  }
  return samples;
}

double value_at(const fit::FitModel& model, std::vector<double> theta, std::size_t p, double h,
                const std::vector<fit::MeasuredPeriod>& samples) {
  theta[p] += h;
  return fit::fit_likelihood(model, theta, samples, false).value;
}

double sd_of(const fit::CrowdMeasure& crowd) {
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < crowd.opinions.size(); ++i) mean += crowd.weights[i] * crowd.opinions[i];
  for (std::size_t i = 0; i < crowd.opinions.size(); ++i)
    square += crowd.weights[i] * (crowd.opinions[i] - mean) * (crowd.opinions[i] - mean);
  return std::sqrt(square);
}

const fit::AnswerGrid kUneven{{-1.5, -1, -0.2, 0.3, 1, 2.5}};

std::vector<fit::MeasuredPeriod> answers_in_cells(std::size_t periods) {
  const Random random(5);
  std::vector<fit::MeasuredPeriod> samples;
  for (std::uint64_t t = 0; t < periods; ++t) {
    std::vector<double> values, weights;
    for (std::uint64_t k = 0; k < 40; ++k) {
      values.push_back(random.normal(k, t));
      weights.push_back(0.5 + random.uniform(k, 100 + t));
    }
    samples.push_back(fit::measured_cells(values, kUneven, weights));
  }
  return samples;
}

double p_of(const fit::OpinionSeries& series, const Random& random) {
  return fit::unchanging_p(fit::sample_of(series, 0, series.times.size()), series.times, 199, random);
}

}  // namespace

TEST_CASE("the likelihood of a series has the derivatives of central differences", "[fit][gradient]") {
  const auto samples = some_samples(4);
  for (const Index components : {Index{1}, Index{2}})
    for (const Index steps : {Index{1}, Index{2}}) {
      const fit::FitModel model{components, 31, steps};
      const std::vector<double> theta(kTwoCamps.begin(), kTwoCamps.begin() + model.parameters());
      const fit::FitLikelihood exact = fit::fit_likelihood(model, theta, samples);
      for (std::size_t p = 0; p < theta.size(); ++p) {
        constexpr double h = 1e-4;
        const double slope = (value_at(model, theta, p, h, samples) - value_at(model, theta, p, -h, samples)) / (2 * h);
        INFO("parameter " << p << ", components " << components << ", steps " << steps);
        CHECK(std::abs(slope - exact.gradient[static_cast<Index>(p)]) < kOfDifferences * (1 + std::abs(slope)));
      }
    }
}

TEST_CASE("a normal crowd stays normal, and its width goes as theory says", "[fit][limit]") {
  const fit::FitModel model{1, 81, 1};
  const double temperature = 0.7;
  double sd = 1;
  std::vector<double> theta{std::log(temperature), -40, 0, 0, 0, 0.3, 0};  // s = 0
  for (const fit::CrowdMeasure& crowd : fit::push_forward(model, theta, 5)) {
    CHECK(std::abs(sd_of(crowd) - sd) < kOfTrapezoids);
    sd = theory::next_gaussian_sd(sd, temperature);
  }
  theta = {std::log(0.2), 0, 0, 0, 0, 0, 0};  // s = 1/2, sigma = 1: rests at the Gaussian state
  CHECK(std::abs(sd_of(fit::push_forward(model, theta, 60).back()) - theory::gaussian_state_u(0.2, 0.5)) <
        kOfTrapezoids);
}

TEST_CASE("without heat opinions stay, with infinite heat they obey the mean", "[fit][limit]") {
  const fit::FitModel model{2, 21, 1};
  std::vector<double> theta = kTwoCamps;
  theta[fit::kDrift] = theta[fit::kGrowth] = 0;
  theta[fit::kLogTemperature] = fit::kFrozenLogTemperature;
  const auto frozen = fit::push_forward(model, theta, 4);
  for (std::size_t i = 0; i < frozen[0].opinions.size(); ++i)
    CHECK(std::abs(frozen[3].opinions[i] - frozen[0].opinions[i]) < kOfRounding);
  theta[fit::kLogTemperature] = fit::kUniformLogTemperature;
  const auto uniform = fit::push_forward(model, theta, 2);
  const double s = 1 / (1 + std::exp(-theta[fit::kLogitStubbornness]));
  CHECK(std::abs(sd_of(uniform[1]) - s * sd_of(uniform[0])) < kOfRounding);
}

TEST_CASE("a step of the nodes is the engine's attention", "[fit][twin]") {
  const fit::FitModel model{2, 21, 1};
  std::vector<double> theta = kTwoCamps;
  theta[fit::kDrift] = theta[fit::kGrowth] = 0;
  theta[fit::kLogitStubbornness] = -40;  // s = 0
  theta[fit::kStart + 4] = 0;            // equal shares; the nodes' own weights enter as a second column of values
  const auto path = fit::push_forward(model, theta, 2);
  const auto count = static_cast<Index>(path[0].opinions.size());
  const Eigen::Map<const Matrix<double>> x(path[0].opinions.data(), count, 1);
  Matrix<double> values(count, 2);
  for (Index j = 0; j < count; ++j) {
    const double weight = path[0].weights[j];
    values.row(j) << weight, weight * x(j, 0);
  }
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{fovea::temperature<double>(), {theta[fit::kLogTemperature]}}};
  const Matrix<double> sums = attend<double>(x, x, values, spec).outputs;
  for (Index i = 0; i < count; ++i) CHECK(std::abs(path[1].opinions[i] - sums(i, 1) / sums(i, 0)) < kOfRounding);
}

TEST_CASE("the density of a measurement integrates to one", "[fit][property]") {
  const auto crowd = fit::push_forward({2, 41, 1}, kTwoCamps, 3).back();
  std::vector<double> places;
  for (int k = -500; k <= 500; ++k) places.push_back(k * 0.01);
  double sum = 0;
  for (const double density : fit::measured_density(crowd, 0.2, places)) sum += density * 0.01;
  CHECK(std::abs(sum - 1) < kOfTrapezoids);
  const std::vector<double> one{places[520]};
  CHECK(std::abs(fit::log_density_of(crowd, 0.2, fit::measured_period(one, 0.01)) -
                 std::log(fit::measured_density(crowd, 0.2, one)[0])) < kOfRounding);
}

TEST_CASE("equal values of a sample are merged, and the rounding is stated", "[fit]") {
  const fit::MeasuredPeriod period = fit::measured_period(std::vector<double>{0.31, -0.2, 0.29, 0.3}, 0.1);
  REQUIRE(period.values.size() == 2);
  CHECK(period.counts == std::vector<double>{1, 3});
  CHECK(period.total() == 4);
  CHECK_THROWS_AS(fit::measured_period(std::vector<double>{1}, 0), ArgumentError);
  CHECK_THROWS_AS(fit::push_forward({3, 5, 1}, kTwoCamps, 1), ArgumentError);
  CHECK_THROWS_AS(fit::push_forward({1, 5, 1}, kTwoCamps, 1), ArgumentError);
}

TEST_CASE("persons measured once have the plain information; measured again with the same value they count as one",
          "[fit][property]") {
  const fit::FitModel model{1, 31, 1};
  const std::vector<double> frozen{fit::kFrozenLogTemperature, -40, 0, 0, std::log(0.2), 0, 0};
  const std::vector<std::vector<double>> samples{{-0.5, 0.1, 1.2}, {-0.5, 0.1, 1.2}};
  const std::vector<fit::MeasuredPeriod> periods{fit::measured_period(samples[0], 1e-6),
                                                 fit::measured_period(samples[1], 1e-6)};
  const Matrix<double> plain = fit::fit_likelihood(model, frozen, periods).information;
  const auto clustered = [&](const std::vector<std::vector<std::int64_t>>& persons) {
    return fit::clustered_information(model, frozen, periods, persons);
  };
  CHECK((clustered({{1, 2, 3}, {4, 5, 6}}) - plain).cwiseAbs().maxCoeff() < 1e-4);  // values are rounded in `plain`
  const auto start = Eigen::seq(fit::kStart, Eigen::last);  // nothing moves: both periods have the same scores there
  const Matrix<double> twice = clustered({{1, 2, 3}, {1, 2, 3}}) - 2 * plain;
  CHECK(Matrix<double>(twice(start, start)).cwiseAbs().maxCoeff() < 1e-4);
  CHECK_THROWS_AS(clustered({{1, 2, 3}}), ArgumentError);
}

TEST_CASE("given the density itself as data, the fit returns the truth and its profile", "[fit][limit]") {
  const fit::FitModel model{1, 41, 1};
  const std::vector<double> truth{std::log(0.3), -1.5, 0, 0, std::log(0.2), 0, 0};
  std::vector<fit::MeasuredPeriod> samples;
  for (const fit::CrowdMeasure& crowd : fit::push_forward(model, truth, 6)) {
    fit::MeasuredPeriod sample;
    for (int k = -100; k <= 100; ++k) sample.values.push_back(k * 0.05);
    sample.counts = fit::measured_density(crowd, 0.2, sample.values);
    for (double& count : sample.counts) count *= 1000 * 0.05;  // 1000 measurements a period
    samples.push_back(sample);
  }
  fit::FitSettings settings{model, {{-4, 2}, {-5, 5}, {0, 0, false}, {0, 0, false}, {-3, 0}, {-1, 1}, {-1, 1}}};
  const std::vector<std::vector<double>> starts{{-2, 0, 0, 0, -1, 0.1, 0.1}, {0, -1, 0, 0, -2, 0, 0}};
  fit::FittedModel fitted = fit::maximise_likelihood(settings, samples, starts);
  CHECK(fitted.converged);
  constexpr double kOfStopping = 0.02;  // of a standard error: the search stops at 1e-4 of log likelihood
  for (Index p = 0; p < model.parameters(); ++p)
    CHECK(std::abs(fitted.theta[p] - truth[p]) < 1e-9 + kOfStopping * std::sqrt(fitted.covariance(p, p)));
  const fit::ProfileInterval interval = fit::profile_interval(settings, samples, fitted, fit::kLogTemperature, 0.95);
  CHECK_FALSE(interval.low_open);
  CHECK_FALSE(interval.high_open);
  for (const double end : {interval.low, interval.high}) {
    std::vector<double> theta = fitted.theta;
    theta[fit::kLogTemperature] = end;
    const Index held[] = {fit::kLogTemperature};
    const double deviance =
        2 * (fitted.log_likelihood - fit::maximise_others(settings, samples, theta, held).log_likelihood);
    CHECK(std::abs(deviance - 3.841459) < 0.1);  // the ends are found to 0.01 of its root
  }
}

TEST_CASE("the likelihood of cells has the derivatives of central differences, with gaps between waves too",
          "[fit][gradient]") {
  const auto samples = answers_in_cells(4);
  for (const Index components : {Index{1}, Index{2}})
    for (const std::vector<Index>& gaps : {std::vector<Index>{}, std::vector<Index>{1, 3, 2}}) {
      const fit::FitModel model{components, 31, 1, gaps};
      const std::vector<double> theta(kTwoCamps.begin(), kTwoCamps.begin() + model.parameters());
      const fit::FitLikelihood exact = fit::fit_likelihood(model, theta, samples);
      for (std::size_t p = 0; p < theta.size(); ++p) {
        constexpr double h = 1e-4;
        std::vector<double> above = theta, below = theta;
        above[p] += h;
        below[p] -= h;
        const double slope = (fit::fit_likelihood(model, above, samples, false).value -
                              fit::fit_likelihood(model, below, samples, false).value) /
                             (2 * h);
        INFO("parameter " << p << ", components " << components << ", gaps " << gaps.size());
        CHECK(std::abs(slope - exact.gradient[static_cast<Index>(p)]) < kOfDifferences * (1 + std::abs(slope)));
      }
    }
}

TEST_CASE("the share of a cell is the integral of the density over it, and the shares add up to one", "[fit][limit]") {
  const auto crowd = fit::push_forward({2, 41, 1}, kTwoCamps, 3).back();
  const std::vector<double> shares = fit::measured_shares(crowd, 0.2, kUneven);
  double sum = 0;
  for (const double share : shares) sum += share;
  CHECK(std::abs(sum - 1) < 1e-12);
  for (std::size_t k = 1; k + 1 < shares.size(); ++k) {
    constexpr int kPieces = 2000;
    const double low = kUneven.lower_edge(k), width = (kUneven.lower_edge(k + 1) - low) / kPieces;
    std::vector<double> places;
    for (int i = 0; i < kPieces; ++i) places.push_back(low + (i + 0.5) * width);
    double integral = 0;
    for (const double density : fit::measured_density(crowd, 0.2, places)) integral += density * width;
    CHECK(std::abs(integral - shares[k]) < 1e-6);  // midpoints: width^2 times second derivatives
  }
}

TEST_CASE("a gap of two is two steps", "[fit][limit]") {
  const auto twice = fit::push_forward({2, 21, 1, {2, 1}}, kTwoCamps, 3),
             once = fit::push_forward({2, 21, 1}, kTwoCamps, 4);
  CHECK(twice[1].opinions == once[2].opinions);
  CHECK(twice[2].opinions == once[3].opinions);
  CHECK(fit::gaps_between({1990, 1992, 1998}) == std::vector<Index>{1, 3});
  CHECK(fit::gaps_between({1990, 1992, 1994}).empty());
  CHECK(fit::gaps_between({1, 2.5, 3}) == std::vector<Index>{3, 1});
  CHECK(fit::gaps_between({2000, 2000.5, 2002}) == std::vector<Index>{1, 3});
  CHECK(fit::gaps_between({2020.0, 2020.0847, 2020.164, 2020.2486}).empty());  // months
  CHECK(fit::gaps_between({0, 365, 731, 1096, 1461}).empty());                 // years in days
  CHECK(fit::gaps_between({0, 365, 1096, 11322}) == std::vector<Index>{1, 2, 28});
  const std::vector<Index> odd = fit::gaps_between({0, 1, 1 + std::sqrt(2.0), 40000});
  CHECK(std::accumulate(odd.begin(), odd.end(), Index{0}) <= 1002);
}

TEST_CASE("answers count in their cells, halves on an edge, by effective size under weights", "[fit]") {
  const fit::AnswerGrid tens = fit::even_grid(0, 100, 10);
  REQUIRE(tens.points.size() == 11);
  const fit::MeasuredPeriod period = fit::measured_cells(std::vector<double>{0, 4, 15, 20, 100}, tens);
  CHECK(period.values == std::vector<double>{0, 10, 20, 100});
  CHECK(period.counts == std::vector<double>{2, 0.5, 1.5, 1});
  CHECK(std::isinf(period.low.front()));
  CHECK(period.low[1] == 5);
  const fit::MeasuredPeriod weighted =
      fit::measured_cells(std::vector<double>{0, 10, 10}, tens, std::vector<double>{2, 1, 1});
  CHECK(std::abs(weighted.total() - 16.0 / 6.0) < 1e-12);  // (sum w)^2 / sum w^2
  CHECK(std::abs(weighted.counts[0] - weighted.counts[1]) < 1e-12);
}

TEST_CASE("motion is claimed as rarely as told where nothing moves, and found where something does",
          "[fit][statistics]") {
  constexpr int kSets = 200;
  for (const int points : {0, 5, 7, 11}) {
    int claimed = 0, found = 0, ranked = 0;
    for (int set = 0; set < kSets; ++set) {
      const Random random(static_cast<std::uint64_t>(1000 * points + set));
      const double p = p_of(support::survey_waves(random.stream("still"), 60, points, 0), random);
      claimed += p <= fit::kMovesLevel ? 1 : 0;
      ranked += p <= 0.2 ? 1 : 0;
      if (set < 20)
        found +=
            p_of(support::survey_waves(random.stream("moving"), 60, points, 0.3), random) <= fit::kMovesLevel ? 1 : 0;
    }
    INFO("points " << points);
    CHECK(claimed <= 8);                         // of 200 at 1 %: more has a probability of 2e-4
    CHECK(std::abs(ranked - 0.2 * kSets) < 20);  // 3.5 standard deviations: the test is no dead letter
    CHECK(found >= 18);
  }
}

TEST_CASE("a panel's test compares persons with themselves, and unequal weights do not claim motion",
          "[fit][statistics]") {
  int panel_found = 0, cross_found = 0, claimed = 0;
  for (std::uint64_t set = 0; set < 60; ++set) {
    const Random random(set);
    fit::OpinionSeries panel, still;
    for (std::uint64_t t = 0; t < 3; ++t) {
      panel.times.push_back(static_cast<double>(t));
      still.times.push_back(static_cast<double>(t));
      panel.samples.emplace_back();
      panel.persons.emplace_back();
      still.samples.emplace_back();
      still.persons.emplace_back();
      still.weights.emplace_back();
      for (std::uint64_t k = 0; k < 80; ++k) {
        const double person = 2 * random.normal(k, 100);
        panel.samples[t].push_back(person + 0.2 * random.normal(k, t) + 0.08 * static_cast<double>(t));
        panel.persons[t].push_back(static_cast<std::int64_t>(k));
        if (random.uniform(k, 50 + t) < 0.3) continue;  // not everybody answers
        still.samples[t].push_back(std::round(person + 0.2 * random.normal(k, 10 + t)));
        still.persons[t].push_back(static_cast<std::int64_t>(k));
        still.weights[t].push_back(std::exp(random.normal(k, 101)));
      }
    }
    panel_found += p_of(panel, random) <= fit::kMovesLevel ? 1 : 0;
    claimed += p_of(still, random) <= 0.05 ? 1 : 0;
    panel.persons.clear();
    cross_found += p_of(panel, random) <= fit::kMovesLevel ? 1 : 0;
  }
  CHECK(panel_found >= 45);  // .16 between the ends is 5 standard errors within persons, and .5 between strangers
  CHECK(cross_found <= 4);
  CHECK(claimed <= 9);  // of 60 at 5 %: more has a probability of 1e-3
}
