#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kWithin = 0.05;          // how far an estimate may be from the truth
constexpr double kNominal = 0.95;         // of the intervals examined
constexpr double kMayMiss = 0.05;         // coverage from 90 % to 100 %
constexpr double kTwoMoreAtLevel = 5.99;  // chi-square with 2 degrees of freedom at 95 %: two more parameters
const std::string kSource = "domains/opinion/fitting.md";

/// One estimated number in all runs, each of a single window.
struct ExaminedNumber {
  std::string name;
  std::vector<double> value, low, high, truth;

  ExaminedNumber(const Results& merged, const std::string& which)
      : name(which),
        value(view(merged.data, which).values()),
        low(view(merged.data, which + "_low").values()),
        high(view(merged.data, which + "_high").values()),
        truth(view(merged.data, "truth_" + which).values()) {
    truth.resize(value.size(), truth.front());
  }

  double median_error() const {
    std::vector<double> errors;
    for (std::size_t r = 0; r < value.size(); ++r) errors.push_back(std::abs(value[r] / truth[r] - 1));
    std::sort(errors.begin(), errors.end());
    return sorted_quantile(errors, 0.5);
  }
  double coverage() const {
    double held = 0;
    for (std::size_t r = 0; r < value.size(); ++r) held += low[r] <= truth[r] && truth[r] <= high[r] ? 1 : 0;
    return held / static_cast<double>(value.size());
  }
  double coverage_error() const { return std::sqrt(coverage() * (1 - coverage()) / static_cast<double>(value.size())); }
};

/// Runs in the order of their estimates, so that an interval that misses is seen at once.
void add_coverage_figure(Results& merged, const ExaminedNumber& of, const std::string& units) {
  std::vector<std::size_t> order(of.value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return of.value[a] < of.value[b]; });
  const auto sorted = [&](const std::vector<double>& given) {
    std::vector<double> values;
    for (const std::size_t r : order) values.push_back(given[r]);
    return values;
  };
  merged.add("run_" + of.name, {"run"}, sorted(of.value), units, "estimate");
  merged.add("run_" + of.name + "_low", {"run"}, sorted(of.low), units, "lower end");
  merged.add("run_" + of.name + "_high", {"run"}, sorted(of.high), units, "upper end");
  merged.add("run_" + of.name + "_truth", {"run"}, of.truth, units, "truth");
  merged.figure({.name = of.name + "_coverage",
                 .title = "Intervals and true value of the " + of.name,
                 .caption = concat("Runs in the order of their estimates; the interval contains the true value in ",
                                   plain_text(100 * of.coverage()), " % of them."),
                 .variables = {"run_" + of.name, "run_" + of.name + "_low", "run_" + of.name + "_high"},
                 .references = {"run_" + of.name + "_truth"},
                 .x = "run"});
}

void examine_runs(Results& merged, const ExaminedNumber& temperature, const ExaminedNumber& stubbornness) {
  const std::size_t runs = temperature.value.size();
  std::vector<double> places(runs);
  std::iota(places.begin(), places.end(), 1.0);
  merged.coordinate("run", places, "", "run, in the order of the estimates");
  for (const ExaminedNumber* of : {&temperature, &stubbornness}) {
    const std::string error = of->name + "_median_error", coverage = of->name + "_coverage";
    merged.scalar(error, of->median_error(), "1", of->name + ": median relative error");
    merged.scalar(coverage, of->coverage(), "1", of->name + ": share of the intervals that contain the true value");
    merged.scalar(coverage + "_error", of->coverage_error(), "1",
                  of->name + ": binomial standard error of the coverage");
    merged.check({error, of->name + ": median of |estimate / truth - 1| over the runs", kSource, 0, of->median_error(),
                  absolute(kWithin)});
    merged.check({coverage, of->name + ": share of the runs whose 95 % interval contains the true value", kSource,
                  kNominal, of->coverage(), absolute(kMayMiss)});
    merged.headline(
        {.variable = coverage,
         .label = "Coverage, " + of->name,
         .half_width = coverage + "_error",
         .meaning = concat("Share of ", runs, " intervals that contain the true value; the nominal level is 95 %.")});
  }
  add_coverage_figure(merged, temperature, "opinion^2");
  add_coverage_figure(merged, stubbornness, "1");
  merged.verdict(concat(
      "Over ", runs, " simulated series the median relative error is ", plain_text(100 * temperature.median_error(), 2),
      " % for the temperature and ", plain_text(100 * stubbornness.median_error(), 2),
      " % for the stubbornness. The intervals contain the true temperature in ",
      plain_text(100 * temperature.coverage()), " +- ", plain_text(100 * temperature.coverage_error(), 2),
      " % and the true stubbornness in ", plain_text(100 * stubbornness.coverage()), " % of the series."));
}

void examine_one(Results& merged, const ExaminedNumber& temperature, const ExaminedNumber& stubbornness) {
  merged.check({"temperature", "estimated temperature", "the simulated value", temperature.truth[0],
                temperature.value[0], relative(kWithin)});
  merged.check({"interval", "1 where the interval of the temperature contains the true value", "the simulated value", 1,
                temperature.coverage(), absolute(0)});
  merged.verdict(concat("The fit gives T = ", plain_text(temperature.value[0]), " (", plain_text(temperature.low[0]),
                        " to ", plain_text(temperature.high[0]), ") and s = ", plain_text(stubbornness.value[0]), " (",
                        plain_text(stubbornness.low[0]), " to ", plain_text(stubbornness.high[0]),
                        "); the simulated values are T = ", plain_text(temperature.truth[0]),
                        ", s = ", plain_text(stubbornness.truth[0]), "."));
}

/// How often attention says more than a common drift does, inside the windows and about the next period.
void judge_windows(Results& merged) {
  // for each window its values over the explanations
  const auto gain = view(merged.data, "log_likelihood").series("explanation");
  const auto ahead = view(merged.data, "held_out").series("explanation");
  const std::vector<double> open = view(merged.data, "temperature_open").values();
  const std::vector<double> low_open = view(merged.data, "temperature_low_open").values();
  const std::size_t windows = gain.size();
  const auto at = [](const std::vector<std::vector<double>>& of, std::size_t w, Explanation e) {
    return of[w][static_cast<std::size_t>(e)];
  };
  std::size_t drift = 0, attention = 0, both = 0, asked = 0, better = 0, closed = 0, above = 0;
  double ahead_drift = 0, ahead_both = 0;
  for (std::size_t w = 0; w < windows; ++w) {
    drift += 2 * at(gain, w, Explanation::drift) > kTwoMoreAtLevel ? 1 : 0;
    attention += 2 * at(gain, w, Explanation::attention) > kTwoMoreAtLevel ? 1 : 0;
    both += 2 * (at(gain, w, Explanation::attention_drift) - at(gain, w, Explanation::drift)) > kTwoMoreAtLevel ? 1 : 0;
    closed += open[w] == 0 ? 1 : 0;
    above += low_open[w] == 0 && open[w] == 0 ? 1 : 0;
    const double next = at(ahead, w, Explanation::attention_drift) - at(ahead, w, Explanation::drift);
    if (std::isnan(next)) continue;
    ++asked;
    better += next > 0 ? 1 : 0;
    ahead_drift += at(ahead, w, Explanation::drift);
    ahead_both += at(ahead, w, Explanation::attention_drift);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, asked));
  merged.scalar("windows_drift", static_cast<double>(drift), "1",
                "windows in which the drift improves significantly on the frozen model");
  merged.scalar("windows_attention", static_cast<double>(attention), "1",
                "windows in which attention alone improves significantly on the frozen model");
  merged.scalar("windows_both", static_cast<double>(both), "1",
                "windows in which attention and drift improve significantly on the drift alone");
  merged.headline({.variable = "windows_both",
                   .label = concat("Windows of ", windows, " with attention"),
                   .meaning = "Adding attention to the drift improves the fit significantly (likelihood ratio, 5 % "
                              "level, 2 more parameters)."});
  merged.headline({.variable = "windows_attention",
                   .label = concat("Windows of ", windows, ", attention alone"),
                   .meaning = "Attention alone compared with the frozen model, at the same level."});
  merged.headline({.variable = "windows_drift",
                   .label = concat("Windows of ", windows, ", drift alone"),
                   .meaning = "Drift and growth compared with the frozen model, at the same level."});
  merged.note(concat(
      "Held-out period after the window: gain in log density per person over the frozen model, mean over ", asked,
      " windows: drift ", plain_text(ahead_drift / count), ", attention and drift ", plain_text(ahead_both / count),
      ". Attention and drift predict better than the drift alone in ", better, " of them."));
  merged.note(
      "Windows overlap and contain the same members, so neighbouring windows are not independent. A temperature near 0 "
      "means that no averaging is detected in addition to the drift; it does not mean that members have no influence "
      "on each other. "
      "Where s is near 1, the temperature is not identified. "
      "The intervals are widened for members who are measured repeatedly; the likelihood comparisons are not.");
  merged.verdict(concat("Attention improves significantly on a common drift in ", both, " of ", windows,
                        " windows (likelihood ratio, 5 % level). Compared with the frozen model, attention alone "
                        "improves the fit significantly in ",
                        attention, " windows and the drift alone in ", drift,
                        ". The interval of the temperature has an upper end in ", closed,
                        " windows, and also a lower end in ", above, "."));
}

/// A single window of a file: the estimate, and what the rivals reach.
void tell_one(Results& merged) {
  const auto first = [&](const char* name) { return plain_text(view(merged.data, name).values()[0]); };
  std::string text = concat("The fit gives T = ", first("temperature"), " (", first("temperature_low"), " to ",
                            first("temperature_high"), ") and s = ", first("stubbornness"), " (",
                            first("stubbornness_low"), " to ", first("stubbornness_high"), ").");
  if (merged.data.has("log_likelihood")) {
    const std::vector<double> gain = view(merged.data, "log_likelihood").series("explanation")[0];
    const auto of = [&](Explanation e) { return plain_text(gain[static_cast<std::size_t>(e)]); };
    text += concat(" Log likelihood above that of the frozen model, in which no opinion moves: drift ",
                   of(Explanation::drift), ", uniform averaging ", of(Explanation::uniform), ", attention ",
                   of(Explanation::attention), ", attention and drift ", of(Explanation::attention_drift),
                   "; drift and attention have 2 parameters more each, which is significant above ",
                   plain_text(kTwoMoreAtLevel / 2), " (5 % level).");
  }
  merged.verdict(text);
}

/// The likelihood is that of continuous answers: on a grid it takes the gaps between the points for structure.
void warn_of_grid(Results& merged) {
  if (!merged.data.has("answer_values")) return;
  const std::string warning =
      concat("The answers lie on a grid of ", plain_text(view(merged.data, "answer_values").values()[0]),
             " values, but the likelihood treats them as continuous: it can find movement in answers that never "
             "change. Do not take a significant gain as evidence of dynamics.");
  merged.note(warning);
  merged.verdict(merged.verdict().empty() ? warning : concat(warning, " ", merged.verdict()));
}

void add_density_figures(Results& merged) {
  for (const std::string which : {"measured", "fitted"}) {
    merged.figure({.kind = "heatmap",
                   .name = which + "_density",
                   .title = which == "measured" ? "Measured opinions" : "Fitted opinions",
                   .caption = which == "measured" ? "Histogram of each period's sample."
                                                  : "Density of the fitted model, each period from the nearest window.",
                   .variables = {which + "_density"},
                   .x = "period",
                   .y = "opinion"});
  }
}

void add_number_figure(Results& merged, const std::string& name, const std::string& title, bool log_y) {
  merged.figure({.name = name,
                 .title = title,
                 .caption = "Estimate and profile-likelihood interval, at the middle of each window.",
                 .variables = {name},
                 .references = {name + "_low", name + "_high"},
                 .x = "window",
                 .log_y = log_y});
}

void add_rival_figures(Results& merged) {
  for (const std::string which : {"log_likelihood", "held_out"}) {
    merged.figure(
        {.name = which,
         .title = which == "held_out" ? "Prediction of the next period" : "Fit of each window",
         .caption = which == "held_out"
                        ? "Mean log density of a person in the period after the window, minus that of the frozen model."
                        : "Log likelihood minus that of the frozen model, in which no opinion moves. Drift and "
                          "attention have 2 more parameters each, together 4.",
         .variables = {which},
         .x = "window",
         .hue = "explanation"});
  }
}

void add_period_figure(Results& merged) {
  merged.figure(
      {.name = "densities",
       .title = "Measured and fitted densities by period",
       .caption = "Density of the fitted model (dashed) and histogram of the sample; the slider selects the period.",
       .variables = {"measured_density"},
       .references = {"fitted_density"},
       .x = "opinion"});
}

void add_surface_figure(Results& merged) {
  if (!merged.data.has("deviance")) return;
  merged.figure({.kind = "heatmap",
                 .name = "surface",
                 .title = "Likelihood of temperature and stubbornness",
                 .caption = "2 (largest log likelihood - log likelihood); values below 5.99 form the joint 95 % "
                            "region. Its slope shows how far a higher temperature is compensated by more stubbornness.",
                 .variables = {"deviance"},
                 .x = "surface_temperature",
                 .y = "surface_stubbornness"});
}

void conclude_windows(Results& merged) {
  const std::size_t windows = merged.data.size_of("window");
  const bool has_truth = merged.data.has("truth_temperature");
  if (windows == 1 && has_truth) {
    const ExaminedNumber temperature(merged, "temperature"), stubbornness(merged, "stubbornness");
    if (temperature.value.size() > 1) return examine_runs(merged, temperature, stubbornness);
    examine_one(merged, temperature, stubbornness);
  }
  if (windows == 1) {
    merged.headline({.variable = "temperature_estimate",
                     .label = "Temperature",
                     .predicted = has_truth ? "truth_temperature" : "",
                     .half_width = "temperature_half_width",
                     .meaning = "With the half width of its interval; the prediction is the simulated value."});
    merged.headline({.variable = "stubbornness_estimate",
                     .label = "Stubbornness",
                     .predicted = has_truth ? "truth_stubbornness" : "",
                     .half_width = "stubbornness_half_width",
                     .meaning = "With the half width of its interval."});
  }
  add_density_figures(merged);
  add_period_figure(merged);
  add_surface_figure(merged);
  if (windows == 1 && !has_truth) tell_one(merged);
  if (windows == 1) return;
  add_number_figure(merged, "temperature", "Temperature over time", true);
  add_number_figure(merged, "stubbornness", "Stubbornness over time", false);
  if (!merged.data.has("log_likelihood")) return;
  add_rival_figures(merged);
  judge_windows(merged);
}

}  // namespace

void conclude_fit(Results& merged) {
  conclude_windows(merged);
  warn_of_grid(merged);
}

}  // namespace fovea::opinion::fit
