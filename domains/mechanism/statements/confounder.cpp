/// The experiment "mechanism.confounder": two units driven by a third; attention links them although neither causes the
/// other, and conditioning removes the link.
///
/// An attention forecaster (forecaster.hpp) learns y(t) from the pasts of y, of y and x, of y and z, of y, x and z:
/// once where x and y only share the driver z ("confounded"), once where x also acts on y ("direct", the control). For
/// normal noise the answer is known from the process' covariance (datasets/simulated/driven_units.hpp).
///
/// Over scenario and conditioning (without and with the past of z): `link`, what the past of x adds to the forecast,
/// ln(error without x / error with x) on held-out steps (Geweke 1982, 1984), beside predicted_link. Over scenario,
/// conditioning and lag, of the forecaster that knows x: `gradient`, the mean of dy(t) / dx(t - lag), beside the best
/// forecast's `coefficient`; and `attention`, the share that looks there. `error` of all eight forecasters, beside
/// best_error.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/forecaster.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::vector<std::string> kScenarios{"confounded", "direct"};
const std::vector<std::string> kConditioning{"without z", "with z"};
const std::vector<std::string> kKnowledge{"without x", "with x"};
constexpr Index kX = 0, kY = 1, kZ = 2;

struct ConfounderSettings {
  datasets::simulated::CommonDriver process{.direct = 0.5};
  Index lags = 5;
  tasks::ForecasterSettings forecaster;
  Index training_steps = 4000, validation_steps = 2000, test_steps = 8000;
  tasks::CourseSettings training{.epochs = 15, .batch = 128, .rate = 0.02};
};

const Keys<ConfounderSettings>& confounder_keys() {
  using S = ConfounderSettings;
  using Driver = datasets::simulated::CommonDriver;
  using tasks::ForecasterSettings;
  static const Range strength = Range::between(-10, 10), deviation{0, 100, true, false};
  const auto process = [](auto member) { return inside(&S::process, member); };
  static const auto keys =
      Keys<S>()
          .key("process.memory", process(&Driver::memory), Range{-1, 1, true, true}, "",
               "autoregressive coefficient of z, the common driver")
          .key("process.lag_x", process(&Driver::lag_x), Range::between(1, 50), "steps",
               "delay of the effect of z on x")
          .key("process.lag_y", process(&Driver::lag_y), Range::between(2, 50), "steps",
               "delay of the effect of z on y; above lag_x")
          .key("process.to_x", process(&Driver::to_x), strength, "", "strength of z -> x")
          .key("process.to_y", process(&Driver::to_y), strength, "", "strength of z -> y")
          .key("process.direct", process(&Driver::direct), strength, "",
               "strength of x -> y in the control process, after lag_y - lag_x steps")
          .key("process.noise_x", process(&Driver::noise_x), deviation, "",
               "standard deviation of x's own noise; that of z is 1")
          .key("process.noise_y", process(&Driver::noise_y), deviation, "", "standard deviation of y's own noise")
          .key("lags", &S::lags, Range::between(2, 100), "steps",
               "number of past steps that the forecasters use; at least lag_y")
          .key(kHeads, inside(&S::forecaster, &ForecasterSettings::heads), "heads of a forecaster")
          .key("key_columns", inside(&S::forecaster, &ForecasterSettings::key_columns), Range::between(1, 64), "",
               "d: dimension of a head's queries and keys")
          .key("steps.training", &S::training_steps, Range::between(10, 1e6), "steps", "training steps")
          .key("steps.validation", &S::validation_steps, Range::between(10, 1e6), "steps",
               "validation steps, for the choice of the epoch")
          .key("steps.test", &S::test_steps, Range::between(10, 1e6), "steps",
               "test steps, on which the results are reported")
          .group(tasks::course_keys(), &S::training)
          .key(kBatch, inside(&S::training, &tasks::CourseSettings::batch));
  return keys;
}

/// y's own past is always known.
std::vector<Index> known_units(bool with_z, bool with_x) {
  std::vector<Index> units{kY};
  if (with_z) units.push_back(kZ);
  if (with_x) units.push_back(kX);
  return units;
}

/// Independent series of one process, for learning, for choosing the best epoch, and for what is reported.
struct ThreeSeries {
  Matrix<double> training, validation, test;
};

ThreeSeries three_series(const ConfounderSettings& settings, const datasets::simulated::DrivenUnits& units,
                         const Random& random) {
  const auto series = [&](const char* purpose, Index steps) {
    return datasets::simulated::simulate(units, steps + settings.lags, random.stream(purpose));
  };
  return {series("training", settings.training_steps), series("validation", settings.validation_steps),
          series("test", settings.test_steps)};
}

/// Examples are steps of the training series, then of the validation series.
learning::TrainingProblem forecast_problem(const tasks::Forecaster& forecaster, const Matrix<double>& joined,
                                           const tasks::PastWindow& window, Index training_steps) {
  learning::TrainingProblem problem;
  problem.tokens.assign(joined.rows(), forecaster.tokens());
  for (Index t = window.first; t < training_steps; ++t) problem.training.push_back(t);
  for (Index t = training_steps + window.first; t < joined.rows(); ++t) problem.validation.push_back(t);
  const auto forecasts = [&forecaster, &joined, window](learning::Tape<float>& tape, std::span<const Index> steps) {
    return forecaster.parts(tasks::past_values(tape, joined, window, steps)).forecasts;
  };
  problem.loss = tasks::squared_loss_of(forecasts, [&joined, target = window.target](Index step) {
    return std::vector<float>{static_cast<float>(joined(step, target))};
  });
  return problem;
}

/// What stands last, for each lag: that of x.
std::vector<double> tail(std::span<const double> all, Index lags) { return {all.end() - lags, all.end()}; }

/// Trains one forecaster and appends what it does on held-out steps; the past of x stands last.
void forecast_from(const ConfounderSettings& settings, const datasets::simulated::DrivenUnits& units,
                   const ThreeSeries& series, bool with_z, bool with_x, const std::string& name, const Random& random,
                   learning::TrainingSeries& trainings, Gathered& found) {
  const Index lags = settings.lags;
  const tasks::PastWindow window = tasks::past_window(kY, known_units(with_z, with_x), lags);
  const Index tokens = static_cast<Index>(window.past.size());
  Matrix<double> joined(series.training.rows() + series.validation.rows(), units.units());
  joined << series.training, series.validation;
  learning::Parameters<float> parameters;
  const tasks::Forecaster forecaster(parameters, tokens, settings.forecaster, random.stream("start"));
  learning::TrainingSettings course = tasks::training_table(settings.training, name, tokens);
  course.batches.shard_tokens = course.batches.tokens / 2 + tokens;
  course.optimizer = learning::AdamW{.decay = 0};
  trainings.train(parameters, forecast_problem(forecaster, joined, window, series.training.rows()), course,
                  random.stream("training"));
  const tasks::Reliance learned = tasks::reliance(parameters, forecaster, series.test, window);
  const datasets::simulated::LinearForecast best = datasets::simulated::best_forecast(units, kY, window.past);
  found.append("error", learned.squared_error);
  found.append("best_error", best.variance);
  if (!with_x) return;
  const std::vector<double> attention = tail(learned.attention, lags);
  found.append("gradient", tail(learned.gradient, lags));
  found.append("attention", attention);
  found.append("coefficient", tail({best.coefficients.data(), window.past.size()}, lags));
  found.append("attention_on_x", std::accumulate(attention.begin(), attention.end(), 0.0));
}

/// ln(error without x / error with x) of pairs; what is only the rounding of a covariance is 0.
std::vector<double> links_of(const std::vector<double>& errors) {
  constexpr double kRounding = 1e-12;
  std::vector<double> links;
  for (std::size_t k = 0; k + 1 < errors.size(); k += 2) {
    const double link = logarithm(errors[k] / errors[k + 1]);
    links.push_back(std::abs(link) < kRounding ? 0.0 : link);
  }
  return links;
}

/// The share of seeds whose attention on x, x and y driven by z alone, is above an even share without z, and below it
/// with z.
double share_that_turns_away(const Results& merged) {
  const View confounded = view(merged.data, "attention_on_x").at({{"scenario", 0}});
  const auto attention = confounded.series("conditioning");
  const auto even = view(merged.data, "even_attention").series("conditioning");
  const double lags = static_cast<double>(merged.data.size_of("lag"));
  double count = 0;
  for (std::size_t r = 0; r < attention.size(); ++r)
    count += attention[r][0] > lags * even[r][0] && attention[r][1] < lags * even[r][1] ? 1 : 0;
  return count / static_cast<double>(attention.size());
}

/// Case k of four: both scenarios, each without z and with z.
View case_of(const View& cases, std::size_t k) { return cases.at({{"scenario", k / 2}, {"conditioning", k % 2}}); }

void add_figures_of_confounder(Results& merged) {
  Figure by_lag{.x = "lag", .hue = "conditioning", .marks = {"lag_of_link"}};
  by_lag.variables = {"gradient"};
  by_lag.references = {"coefficient"};
  show(merged, by_lag, "Gradient of the forecast of y with respect to the past of x",
       "Mean of dy(t) / dx(t - lag) of the trained forecasters; dashed: coefficients of the best linear forecast, "
       "from the covariance of the process. Without z, x is a proxy for the driver that it shares with y. With z the "
       "link vanishes, unless x acts on y (slider).");
  by_lag.variables = {"attention"};
  by_lag.references = {"even_attention"};
  show(merged, by_lag, "Attention on the past of x",
       "Share of the attention, heads weighted by their gain; dashed: uniform attention to all keys. If x only shares "
       "a driver with y, attention to x falls once z is known, but not to zero: weights are positive, so heads of "
       "opposite sign can attend to x and cancel.");
  Figure table{.kind = "table", .name = "links", .x = "conditioning"};
  table.variables = {"link", "predicted_link", "attention_on_x"};
  show(merged, table, "Information that x adds to the forecast of y",
       "Natural logarithm of the ratio of the forecast errors without and with x, on test steps, and its prediction "
       "from the covariance of the process.");
}

class Confounder final : public Statement<ConfounderSettings, confounder_keys> {
 public:
  std::string_view name() const override { return "mechanism.confounder"; }
  std::string_view summary() const override {
    return "two units with a common driver: attention links them, and conditioning removes the link";
  }
  int result_version() const override { return 2; }

  void check_settings(const ConfounderSettings& settings, const Complain& complain) const override {
    if (settings.process.lag_y <= settings.process.lag_x)
      complain("process.lag_y", "process.lag_y must be above process.lag_x: z must act on x first.");
    if (settings.lags < settings.process.lag_y)
      complain("lags", "lags must be at least process.lag_y, so that z can be conditioned on.");
  }

  void measure(const ConfounderSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    learning::TrainingSeries trainings(bench, 8);
    Gathered found;
    for (const bool direct : {false, true}) {
      datasets::simulated::CommonDriver process = settings.process;
      if (!direct) process.direct = 0;
      const datasets::simulated::DrivenUnits units = datasets::simulated::driven_by_common(process);
      const Random here = random.stream(kScenarios[direct]);
      const ThreeSeries series = three_series(settings, units, here);
      for (const bool with_z : {false, true})
        for (const bool with_x : {false, true}) {
          const std::string name = concat(kScenarios[direct], "_y", with_z ? "z" : "", with_x ? "x" : "");
          forecast_from(settings, units, series, with_z, with_x, name, here.stream(name), trainings, found);
        }
    }
    write(settings, found, results);
  }

  void conclude(Results& merged) const override {
    const View link = view(merged.data, "link"), predicted = view(merged.data, "predicted_link");
    const std::vector<std::string> names{"confounded", "conditioned", "direct", "direct_conditioned"};
    const std::vector<std::string> meanings{"information that x adds to the forecast of y, driver unknown",
                                            "information that x adds to the forecast of y, driver known",
                                            "information that x adds if it acts on y, driver unknown",
                                            "information that x adds if it acts on y, driver known"};
    for (std::size_t k = 0; k < 4; ++k)
      merged.check({"link_" + names[k], meanings[k], k % 2 == 0 ? "Geweke 1982" : "Geweke 1984",
                    case_of(predicted, k).first(), case_of(link, k).mean().mean, absolute(kLinkTolerance)});
    for (std::size_t k = 0; k < 2; ++k) {
      const View gradient = view(merged.data, "gradient").at({{"conditioning", k}});
      const View coefficient = view(merged.data, "coefficient").at({{"conditioning", k}});
      double worst = 0;
      for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t lag = 0; lag < merged.data.size_of("lag"); ++lag)
          worst = std::max(worst, std::abs(gradient.at({{"scenario", s}, {"lag", lag}}).mean().mean -
                                           coefficient.at({{"scenario", s}, {"lag", lag}}).first()));
      merged.check(
          {k == 0 ? "gradient_without_z" : "gradient_with_z",
           concat("largest difference of the mean dy / dx at any lag from the best coefficient, ", kConditioning[k]),
           "derived in domains/mechanism/theory.md", 0.0, worst, absolute(kGradientTolerance)});
    }
    merged.check({"attention_turns_away",
                  "share of seeds with more than uniform attention to x without z, and less with z",
                  "stated beforehand", 1.0, share_that_turns_away(merged), absolute(0.0)});
    add_headlines(merged);
    add_figures_of_confounder(merged);
    give_verdict(merged,
                 "Attention links two units with a common driver, and conditioning on the driver removes the link",
                 concat(kLinkTolerance, " nats of the theory: x adds ", plain_text(case_of(link, 0).mean().mean),
                        " (predicted ", plain_text(case_of(predicted, 0).first()),
                        ") to the forecast of y, with z known ", plain_text(case_of(link, 1).mean().mean, 2),
                        " (predicted 0); if x acts on y, ", plain_text(case_of(link, 3).mean().mean),
                        " remains (predicted ", plain_text(case_of(predicted, 3).first()), ")"));
  }

 private:
  /// 8000 held-out steps know a log ratio of errors to 0.01, five seeds to 0.005, and learning from 4000 steps costs
  /// about (coefficients / steps) = 0.004: four times the two together.
  static constexpr double kLinkTolerance = 0.03;
  /// A coefficient learned from 4000 steps has a standard error of at most 0.5 / sqrt(4000 * 0.25) = 0.016, the mean of
  /// five 0.007; the largest of 10 such numbers, with what the cosine leaves unlearned
  static constexpr double kGradientTolerance = 0.04;

  static void write(const ConfounderSettings& settings, const Gathered& found, Results& results) {
    const std::vector<std::string> cells{"scenario", "conditioning"};
    const std::vector<std::string> errors{"scenario", "conditioning", "knowledge"};
    const std::vector<std::string> by_lag{"scenario", "conditioning", "lag"};
    results.coordinate("scenario", kScenarios, "", "scenario");
    results.coordinate("conditioning", kConditioning, "", "conditioning");
    results.coordinate("knowledge", kKnowledge, "", "knowledge");
    add_numbers(results, "lag", 1, settings.lags, "steps", "lag of x");
    found.add_to(results, "error", errors, "1", "mean squared error of the forecast of y");
    found.add_to(results, "best_error", errors, "1", "error of the best forecast");
    results.add("link", cells, links_of(found.at("error")), "nat", "information that x adds to the forecast of y");
    results.add("predicted_link", cells, links_of(found.at("best_error")), "nat", "predicted");
    found.add_to(results, "attention_on_x", cells, "1", "attention on x");
    const double values = static_cast<double>(settings.lags);
    results.add("even_attention", {"conditioning"}, std::vector<double>{0.5 / values, 1.0 / 3 / values}, "1",
                "even share");
    found.add_to(results, "gradient", by_lag, "1", "dy(t) / dx(t - lag)");
    found.add_to(results, "coefficient", by_lag, "1", "best linear forecast");
    found.add_to(results, "attention", by_lag, "1", "attention on x(t - lag)");
    results.scalar("lag_of_link", static_cast<double>(settings.process.lag_y - settings.process.lag_x), "steps",
                   "lag_y - lag_x");
  }

  static void add_headlines(Results& merged) {
    const View link = view(merged.data, "link"), predicted = view(merged.data, "predicted_link");
    const std::vector<std::string> names{"link_confounded", "link_conditioned", "link_direct"};
    const std::vector<std::string> labels{"Information that x adds to the forecast of y", "The same with z known",
                                          "The same if x acts on y"};
    const std::vector<std::string> meanings{"The common driver acts on x first.", "Conditioning on z removes the link.",
                                            "Conditioning on z keeps a true link."};
    const std::vector<std::size_t> places{0, 1, 3};
    for (std::size_t k = 0; k < names.size(); ++k) {
      const MeanWithError pooled = case_of(link, places[k]).mean();
      merged.scalar(names[k], pooled.mean, "nat", labels[k] + ", mean over the seeds");
      merged.scalar(names[k] + "_predicted", case_of(predicted, places[k]).first(), "nat", "predicted");
      merged.scalar(names[k] + "_error", pooled.error, "nat", "standard error over the seeds");
      merged.headline({.variable = names[k],
                       .label = labels[k],
                       .predicted = names[k] + "_predicted",
                       .half_width = names[k] + "_error",
                       .meaning = meanings[k]});
    }
  }
};

}  // namespace

std::unique_ptr<Experiment> make_confounder() { return std::make_unique<Confounder>(); }

}  // namespace fovea::mechanism::statements
