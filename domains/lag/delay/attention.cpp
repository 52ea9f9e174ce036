/// The experiment "lag.attention": does attention that is trained to forecast look at the lag that is there?
///
/// A driver x, white or with memory, of variance 1, causes one response for each delay tau:
///   y_tau(t) = f(x(t - tau)) + noise e(t),   f(x) = x, or curved with mean 0 and variance 1
/// An attention forecaster (attention_forecaster.hpp) learns all responses; a delay is found where the largest mean
/// attention lies on lag tau. Over case and noise: `found`, the share of delays found, beside `by_correlation`, the
/// share at which the largest sample cross-correlation is the right one, and `predicted`, the chance that of as many
/// independent least-squares coefficients the right one is the largest (attention_theory.hpp); at moderate noise,
/// over case, delay and lag: `attention`.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/lag/delay/forecaster.hpp"
#include "fovea/domains/lag/delay/theory.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/findings.hpp"

namespace fovea::lag::delay {

namespace {

const std::vector<std::string> kCases{"white", "memory", "curved"};
constexpr std::size_t kWhite = 0, kMemory = 1, kCurved = 2;

/// max(x, 0) with mean 0 and variance 1 for standard normal x: its mean is 1 / sqrt(2 pi), its second moment 1 / 2.
double standard_ramp(double x) {
  constexpr double kMean = 0.3989422804014327, kDeviation = 0.5837983740;
  return (std::fmax(x, 0) - kMean) / kDeviation;
}

/// x(t) = memory x(t - 1) + sqrt(1 - memory^2) e(t), from its stationary start.
Vector<double> driver_series(Index steps, double memory, const Random& random) {
  Vector<double> x(steps);
  const double fresh = std::sqrt(1 - memory * memory);
  for (Index t = 0; t < steps; ++t) {
    const double e = random.normal(static_cast<std::uint64_t>(t));
    x[t] = t == 0 ? e : memory * x[t - 1] + fresh * e;
  }
  return x;
}

/// Response r follows the driver by r + 1 steps. The first `longest` steps of all are left out.
DrivenSeries driven_series(std::size_t which, Index longest, Index steps, double memory, double noise,
                           const Random& random) {
  const Vector<double> x = driver_series(steps + 2 * longest, which == kMemory ? memory : 0, random.stream("driver"));
  const Random disturbed = random.stream("noise");
  DrivenSeries series{x.tail(steps + longest), Matrix<double>(steps + longest, longest)};
  for (Index t = 0; t < series.steps(); ++t)
    for (Index r = 0; r < longest; ++r) {
      const double cause = x[t + longest - (r + 1)];
      series.responses(t, r) = (which == kCurved ? standard_ramp(cause) : cause) +
                               noise * disturbed.normal(static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(t));
    }
  return series;
}

/// Where |sum_t x(t - lag) y_r(t)| is largest, less 1, over the steps that the forecaster learns from.
std::vector<Index> largest_correlations(const DrivenSeries& series, Index lags) {
  const Index count = series.steps() - lags;
  Matrix<double> past(count, lags);
  for (Index lag = 1; lag <= lags; ++lag) past.col(lag - 1) = series.driver.segment(lags - lag, count);
  const Matrix<double> products = (past.transpose() * series.responses.bottomRows(count)).cwiseAbs();
  std::vector<Index> places(products.cols());
  for (Index r = 0; r < products.cols(); ++r) products.col(r).maxCoeff(&places[r]);
  return places;
}

/// The share of responses r for which the place is r.
double share_right(const std::vector<Index>& places) {
  double right = 0;
  for (std::size_t r = 0; r < places.size(); ++r) right += places[r] == static_cast<Index>(r) ? 1 : 0;
  return right / static_cast<double>(places.size());
}

std::vector<Index> largest_places(const Matrix<double>& attention) {
  std::vector<Index> places(attention.rows());
  for (Index r = 0; r < attention.rows(); ++r) attention.row(r).maxCoeff(&places[r]);
  return places;
}

struct Asked {
  Index longest = 50, steps = 300;
  double memory = 0.8, moderate_noise = 1;
  std::vector<double> noises = {1, 2, 3, 4, 5, 6, 8, 11, 16};
  Index key_columns = 32;
  Index training_steps = 60;
  double rate = 0.1;
};

const Keys<Asked>& asked_keys() {
  static const auto keys =
      Keys<Asked>()
          .key("longest_delay", &Asked::longest, Range::between(2, 500), "steps",
               "delays from 1 to this; also the lags in the model")
          .key("steps", &Asked::steps, Range::between(20, 1e6), "steps", "steps in the training series")
          .key("memory", &Asked::memory, {0, 1, false, true}, "",
               "autoregressive coefficient of the driver in the case \"memory\"")
          .key("moderate_noise", &Asked::moderate_noise, Range::positive(), "",
               "standard deviation; that of the effect is 1")
          .key("noise", &Asked::noises, Range::positive(), "",
               "standard deviations at which the delays are estimated, ascending")
          .key("key_columns", &Asked::key_columns, Range::between(1, 512), "", "d: dimension of queries and keys")
          .key("training.steps", &Asked::training_steps, Range::between(1, 1e5), "",
               "gradient steps, each on all steps of the series")
          .key("training.rate", &Asked::rate, Range::positive(), "", "highest learning rate; falls as a cosine");
  return keys;
}

learning::TrainingSettings lag_training(const Asked& asked, const std::string& name) {
  learning::TrainingSettings settings;
  settings.name = name;
  settings.epochs = asked.training_steps;
  settings.schedule.learning_rate = asked.rate;
  settings.schedule.course = learning::RateCourse::cosine;
  settings.schedule.last_share = 0.05;
  settings.batches = {asked.steps, asked.steps, false, 0};  // the points share the threads
  settings.optimizer = learning::AdamW{.decay = 0};
  settings.largest_norm = std::numeric_limits<double>::infinity();  // Adam's step does not grow with the gradient
  settings.restore_best = false;
  return settings;
}

/// Where values over rising noise fall through 1/2, by straight lines in log noise; NaN where they do not.
double noise_at_half(const std::vector<double>& noise, const std::vector<double>& share) {
  for (std::size_t k = 1; k < noise.size(); ++k)
    if (share[k - 1] >= 0.5 && share[k] < 0.5) {
      const double part = (share[k - 1] - 0.5) / (share[k - 1] - share[k]);
      return noise[k - 1] * exponential(part * logarithm(noise[k] / noise[k - 1]));
    }
  return kNan;
}

class AttentionOverLags : public Experiment {
 public:
  std::string_view name() const override { return "lag.attention"; }
  std::string_view summary() const override {
    return "whether attention trained to forecast is largest at the true lag, and up to which noise";
  }
  int result_version() const override { return 3; }

  Schema schema() const override {
    Schema schema;
    asked_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const Asked asked = asked_keys().read(config);
    if (asked.noises.size() < 2 || !std::is_sorted(asked.noises.begin(), asked.noises.end(), std::less_equal<>()))
      complaints.add(config.source("noise"), "noise must have at least two levels, ascending.");
    if (asked.steps <= asked.longest)
      complaints.add(config.source("steps"), "steps must be more than longest_delay: each lag has a coefficient.");
  }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    find_delays(asked_keys().read(config), random, results, bench);
  }
  void conclude(Results& merged) const override;

 private:
  static void find_delays(const Asked& asked, const Random& random, Results& results, Workbench& bench);

  /// 300 steps know a share of 250 delays to 0.03 at the half, which is 4 % of the noise; the contents of keys and
  /// queries, learned from the same steps, cost coefficients that the prediction leaves out.
  static constexpr double kHalfTolerance = 0.2;
};

/// One case at one noise: the attention, and the share of delays that the largest correlation finds.
struct LagSearch {
  Matrix<double> attention;
  double by_correlation = 0;
};

LagSearch search(const Asked& asked, std::size_t which, double noise, const std::string& name, const Random& random,
                 learning::TrainingSeries& trainings) {
  const Index longest = asked.longest;
  const DrivenSeries series = driven_series(which, longest, asked.steps, asked.memory, noise, random);
  learning::Parameters<float> parameters;
  const AttentionForecaster forecaster(
      parameters, longest,
      {longest, asked.key_columns, which == kCurved ? ForecastContent::curved : ForecastContent::plain},
      random.stream("start"));
  trainings.train(parameters, forecast_problem(forecaster, series), lag_training(asked, name),
                  random.stream("training"));
  return {attention_over_lags(parameters, forecaster, series), share_right(largest_correlations(series, longest))};
}

void AttentionOverLags::find_delays(const Asked& asked, const Random& random, Results& results, Workbench& bench) {
  const std::vector<double>& noises = asked.noises;
  const Index longest = asked.longest;
  const double free_steps = static_cast<double>(asked.steps - longest);
  learning::TrainingSeries trainings(bench, static_cast<Index>(kCases.size() * (noises.size() + 1)));
  struct AtNoise {
    double found, by_correlation, predicted;
  };
  std::vector<LagSearch> at_moderate;  // one a case
  std::vector<AtNoise> shares;
  for (std::size_t c = 0; c < kCases.size(); ++c) {
    const Random here = random.stream(kCases[c]);
    at_moderate.push_back(
        search(asked, c, asked.moderate_noise, kCases[c] + "_moderate", here.stream("moderate"), trainings));
    for (std::size_t k = 0; k < noises.size(); ++k) {
      const LagSearch at =
          search(asked, c, noises[k], concat(kCases[c], "_", k), here.stream(concat("noise ", k)), trainings);
      shares.push_back({share_right(largest_places(at.attention)), at.by_correlation,
                        c == kWhite ? chance_of_largest(std::sqrt(free_steps) / noises[k], longest - 1) : kNan});
    }
  }
  std::vector<std::int64_t> delays(longest);
  std::iota(delays.begin(), delays.end(), 1);
  std::vector<double> attention, on_delay;
  for (const LagSearch& one : at_moderate) {
    attention.insert(attention.end(), one.attention.data(), one.attention.data() + longest * longest);
    for (Index r = 0; r < longest; ++r) on_delay.push_back(one.attention(r, r));
  }
  const auto found = [](const LagSearch& one) { return share_right(largest_places(one.attention)); };
  results.coordinate("case", kCases, "", "driver and response");
  results.coordinate("delay", delays, "steps", "true delay");
  results.coordinate("lag", delays, "steps", "lag");
  results.coordinate("noise", noises, "1", "standard deviation of the noise over that of the effect");
  results.add("attention", {"case", "delay", "lag"}, attention, "1", "attention at the lag");
  results.add("attention_on_delay", {"case", "delay"}, on_delay, "1", "attention at the true delay");
  rows("case", at_moderate).number("found_at_moderate_noise", found, "delays found").write(results);
  rows({"case", "noise"}, shares)
      .number("found", &AtNoise::found, "delays found by attention")
      .number("by_correlation", &AtNoise::by_correlation, "delays found by the largest correlation")
      .number("predicted", &AtNoise::predicted, "probability that the true coefficient is the largest")
      .write(results);
  results.scalar("even_attention", 1 / static_cast<double>(longest), "1", "uniform attention");
  results.scalar("predicted_noise_at_half", std::sqrt(free_steps) / mean_for_chance(0.5, longest - 1), "1",
                 "predicted noise at which half of the delays are found");
}

void add_figures_of_attention(Results& merged) {
  merged.figure({.kind = "heatmap",
                 .name = "attention",
                 .title = "Attention to each lag, for each delay",
                 .caption = "Mean attention of the response with that delay to each lag of the driver, at moderate "
                            "noise. The diagonal is the true delay.",
                 .variables = {"attention"},
                 .x = "lag",
                 .y = "delay"});
  merged.figure(
      {.kind = "lines",
       .name = "found",
       .title = "Share of delays found against the noise",
       .caption = "Share of the true delays at which the attention is largest, and at which the sample "
                  "cross-correlation is largest. Bands: standard error over the seeds. Dashed, for the white driver: "
                  "probability that of independent least-squares coefficients the true one is the largest.",
       .variables = {"found", "by_correlation"},
       .references = {"predicted"},
       .x = "noise",
       .log_x = true,
       .marks = {"predicted_noise_at_half"}});
  merged.figure({.kind = "lines",
                 .name = "profile",
                 .title = "Attention of one response",
                 .caption = "Attention to each lag for the delay chosen above. Dashed: uniform attention.",
                 .variables = {"attention"},
                 .references = {"even_attention"},
                 .x = "lag"});
}

void AttentionOverLags::conclude(Results& merged) const {
  const std::vector<double> moderate = view(merged.data, "found_at_moderate_noise").means({"case"});
  const std::vector<double> noise = view(merged.data, "noise").values();
  for (std::size_t c = 0; c < kCases.size(); ++c)
    merged.check({"found_" + kCases[c], concat("share of delays found at moderate noise, ", kCases[c]),
                  "stated beforehand; Bahdanau, Cho and Bengio 2015", 1.0, moderate[c], absolute(0.0)});
  const double half = noise_at_half(noise, view(merged.data, "found").at({{"case", 0}}).means({"noise"}));
  const double predicted = view(merged.data, "predicted_noise_at_half").mean().mean;
  merged.check({"noise_at_half", "noise at which half of the delays are found, white driver",
                "derived in domains/lag/theory.md; David and Nagaraja 2003, eq. 2.1.1", predicted, half,
                relative(kHalfTolerance)});
  merged.scalar("noise_at_half", half, "1", "noise at which half of the delays are found");
  merged.scalar("least_found", *std::min_element(moderate.begin(), moderate.end()), "1",
                "share of delays found at moderate noise, in the worst case");
  merged.headline({.variable = "least_found",
                   .label = "Delays found at moderate noise",
                   .meaning = "At noise as large as the effect; the worst of three cases, over all delays and seeds."});
  merged.headline(
      {.variable = "noise_at_half",
       .label = "Noise over effect at which half are found",
       .predicted = "predicted_noise_at_half",
       .meaning =
           "Predicted: the noise at which the true least-squares coefficient is the largest with probability 1/2."});
  add_figures_of_attention(merged);
  const bool all =
      std::all_of(merged.checks().begin(), merged.checks().end(), [](const Check& c) { return c.holds(); });
  const double share = view(merged.data, "least_found").first();
  merged.finding(AttentionOnDelays{share, half, predicted, all});
  merged.finding(AttentionOffDelays{share});
}

}  // namespace

std::unique_ptr<Experiment> make_attention() { return std::make_unique<AttentionOverLags>(); }

}  // namespace fovea::lag::delay
