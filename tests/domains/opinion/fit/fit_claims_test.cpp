/// What opinion.fit claims, each way: the quadrature, whether a model describes the samples, previews, influence.

#include <numeric>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/fit/findings.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

const std::string kSurvey =
    "fit.nodes = 41\nfit.held_out = 0\nfit.permutations = 199\ntruth.periods = 6\ntruth.sample = 1000\n"
    "truth.agents = 1000\ntruth.points = 10\n";

Results scenario_run(const std::string& name, bool preview = false, const std::string& more = "") {
  const auto experiment = fit::make_fit();
  Config config = support::config_of(*experiment, kSurvey + more + "truth.scenario = \"" + name + "\"\n");
  config.preview = preview;
  return support::run_of(config);
}

fit::SimulatedTruth truth_of(const std::string& scenario) {
  fit::SimulatedTruth truth;
  truth.scenario = scenario;
  truth.periods = 5;
  truth.agents = truth.sample = 1000;
  truth.points = 10;
  return fit::with_scenario(truth);
}

struct FittedSeries {
  fit::OpinionSeries series;
  fit::WindowSettings settings;
  fit::FittedModel fitted;
  fit::WindowSample sample() const { return fit::sample_of(series, 0, series.times.size()); }
};

FittedSeries fitted_series(const std::string& scenario, fit::Explanation explanation) {
  FittedSeries of{fit::simulated_series(truth_of(scenario), Random(12)), {}, {}};
  of.settings = {{2, 41, 1}, 0, 0.95, fit::scale_of(of.series), of.series.grid};
  of.fitted = fit::explain(of.settings, explanation, of.sample());
  return of;
}

}  // namespace

TEST_CASE("an account needs a quadrature that resolves it, and attention a model that describes the samples", "[fit]") {
  const std::vector<double> attention{0, 4.1, 1, 21.2, 22}, drift{0, 21.2, 1, 4.1, 22}, both{0, 21.2, 1, 14.1, 32};
  const auto account = [](const std::vector<double>& gains, double quadrature, double described) {
    return fit::account_of(fit::Evidence{0.002, gains, quadrature, described});
  };
  CHECK(account(attention, 0.1, 0.1) == fit::Account::attention);
  CHECK(account(attention, 0.11, 0.5) == fit::Account::unresolved);
  CHECK(account(attention, 0.01, 0.09) == fit::Account::refuted);
  CHECK(account(both, 0.01, 0.5) == fit::Account::both);
  CHECK(account(both, 0.01, 0.001) == fit::Account::refuted);
  CHECK(account(drift, 0.01, 0.001) == fit::Account::drift);
  CHECK(account(drift, 0.2, 0.5) == fit::Account::unresolved);
  CHECK(account({}, 0.01, 0.5) == fit::Account::attention);  // rivals were not fitted
  CHECK(account({}, 0.2, 0.5) == fit::Account::unresolved);
  CHECK(fit::tells_influence({0.002, attention, 0.1, 0.1}));
  CHECK_FALSE(fit::tells_influence({0.02, attention, 0.1, 0.5}));
  CHECK_FALSE(fit::tells_influence({0.002, {0, 21, 1, 21, 22}, 0.1, 0.5}));  // either
  CHECK_FALSE(fit::tells_influence({0.002, drift, 0.1, 0.5}));
  fit::AttentionFitted fitted = fit::AttentionFitted::example();
  CHECK(fitted.sentence().starts_with("The fit gives T = "));
  fitted.claimed = false;
  CHECK(fitted.sentence().starts_with("To compare with the simulated values: the fit gives T = "));
}

TEST_CASE("nodes that are further apart than the error is wide are found out, and more of them resolve it", "[fit]") {
  FittedSeries of = fitted_series("heaped", fit::Explanation::frozen);
  of.settings.model.nodes = 11;
  of.fitted = fit::explain(of.settings, fit::Explanation::frozen, of.sample());
  CHECK(fit::quadrature_error(of.settings, std::span(&of.fitted, 1), of.sample()) > fit::kResolved);
  of.settings.model.nodes = 324;
  of.fitted = fit::explain(of.settings, fit::Explanation::frozen, of.sample());
  CHECK(fit::quadrature_error(of.settings, std::span(&of.fitted, 1), of.sample()) < fit::kResolved);
}

TEST_CASE("a model describes the samples that it draws, and no others", "[fit][statistics]") {
  const FittedSeries own = fitted_series("averaging", fit::Explanation::attention);
  CHECK(fit::described_p(own.settings, fit::Explanation::attention, own.fitted, own.sample()) > fit::kDescribed);
  const FittedSeries other = fitted_series("resampled", fit::Explanation::attention);
  CHECK(fit::described_p(other.settings, fit::Explanation::attention, other.fitted, other.sample()) < 1e-6);
  fit::OpinionSeries again = other.series;  // the same people in all waves: a deviation counts once
  for (const std::vector<double>& wave : again.samples) again.persons.emplace_back(wave.size());
  for (auto& persons : again.persons) std::iota(persons.begin(), persons.end(), std::int64_t{0});
  const double once = fit::described_p(other.settings, fit::Explanation::attention, other.fitted, other.sample());
  CHECK(fit::described_p(other.settings, fit::Explanation::attention, other.fitted,
                         fit::sample_of(again, 0, again.times.size())) > once);
}

TEST_CASE("influence is claimed where it is, and not where shares, a drift or a sample move answers", "[fit][long]") {
  const Results influence = scenario_run("averaging");
  CHECK(influence.data.at("influence_claimed").reals()[0] == 1);
  CHECK(influence.verdict().find("The fit gives T = ") != std::string::npos);
  for (const std::string name : {"heaped", "drifting", "reversed", "resampled"}) {
    INFO(name);
    const Results none = scenario_run(name);
    CHECK(none.data.at("influence_claimed").reals()[0] == 0);
    CHECK(none.verdict().find("Something moves") == 0);
    CHECK(none.verdict().find("T = ") == std::string::npos);
    CHECK(std::isnan(none.data.at("temperature_estimate").reals()[0]));
    CHECK(none.data.at("quadrature_error").reals()[0] <= fit::kResolved);
  }
}

TEST_CASE("several scenarios are counted by what is claimed and what is true", "[fit][long]") {
  const auto experiment = fit::make_fit();
  const Results counted = support::swept_run_of(*experiment, kSurvey + "truth.scenario = \"averaging\"\n", 2);
  CHECK(counted.verdict() ==
        "Influence is claimed in 0 of 0 simulated series without influence and in 2 of 2 with influence.");
}

TEST_CASE("a preview gives an estimate without an interval", "[fit]") {
  for (const bool preview : {false, true}) {
    const Results results = scenario_run("averaging", preview);
    CHECK(std::isfinite(results.data.at("temperature_estimate").reals()[0]));
    CHECK(std::isnan(results.data.at("temperature_half_width").reals()[0]) == preview);
    CHECK((results.headlines()[0].meaning == "A preview gives no interval.") == preview);
    const Results drift = scenario_run("drifting", preview, "fit.window = 3\nfit.stride = 3\n");  // several windows
    CHECK(std::isnan(drift.data.at("temperature_low").reals()[0]) == preview);
  }
}
