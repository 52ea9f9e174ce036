#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/fit/one_window.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"
#include "fovea/domains/opinion/fit/series_findings.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kWithin = 0.05;   // how far an estimate may be from the truth
constexpr double kNominal = 0.95;  // of the intervals examined
constexpr double kMayMiss = 0.05;  // coverage from 90 % to 100 %
const std::string kSource = "domains/opinion/fitting.md";

std::size_t count_moving(const Results& merged, double level = kMovesLevel) {
  const std::vector<double> p = view(merged.data, "unchanging_p").values();
  return static_cast<std::size_t>(std::count_if(p.begin(), p.end(), [&](double value) { return value <= level; }));
}

/// A variable at each place of another one, which has its dimensions and more: a swept truth at each run.
std::vector<double> spread_over(const Dataset& data, const std::string& name, const std::string& like) {
  const View values = view(data, name);
  const std::vector<std::string>& dimensions = data.at(like).dimensions;
  std::vector<double> spread;
  for (std::size_t place = 0; place < view(data, like).size(); ++place) {
    std::size_t rest = place;
    View at = values;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      const std::size_t size = data.size_of(dimensions[d]);
      if (at.has(dimensions[d])) at = at.at({{dimensions[d], rest % size}});
      rest /= size;
    }
    spread.push_back(at.first());
  }
  return spread;
}

/// Whether a key was swept, and not seeds alone.
bool is_swept(const Dataset& data) {
  for (const std::string& dimension : data.at("unchanging_p").dimensions)
    if (dimension != "window" && dimension != "seed" && data.size_of(dimension) > 1) return true;
  return false;
}

/// T and s of each point of a sweep.
void add_swept_estimates(Results& merged, bool has_truth) {
  for (const std::string name : {"temperature", "stubbornness"})
    merged.headline({.variable = name + "_estimate",
                     .label = name == "temperature" ? "Temperature" : "Stubbornness",
                     .predicted = has_truth ? "truth_" + name : "",
                     .half_width = name + "_half_width",
                     .meaning = has_truth ? "Estimate; the prediction is the simulated value."
                                          : "Estimate; none where nothing moves or no influence is seen."});
}

/// One estimated number of a run.
struct ExaminedRun {
  double value, low, high, truth;
  bool covered() const { return low <= truth && truth <= high; }
};

/// In all runs, each of a single window; by ascending estimates.
struct ExaminedNumber {
  std::string name;
  std::vector<ExaminedRun> runs;

  ExaminedNumber(const Results& merged, const std::string& which) : name(which) {
    const std::vector<double> all = view(merged.data, which).values(),
                              lows = view(merged.data, which + "_low").values(),
                              highs = view(merged.data, which + "_high").values(),
                              truths = spread_over(merged.data, "truth_" + which, which);
    for (std::size_t k = 0; k < all.size(); ++k)  // NaN: a point of a sweep that failed
      if (!std::isnan(all[k])) runs.push_back({all[k], lows[k], highs[k], truths[k]});
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  }

  double median_error() const {
    std::vector<double> errors;
    for (const ExaminedRun& run : runs) errors.push_back(std::abs(run.value / run.truth - 1));
    std::sort(errors.begin(), errors.end());
    return sorted_quantile(errors, 0.5);
  }
  double coverage() const {
    return static_cast<double>(std::count_if(runs.begin(), runs.end(), std::mem_fn(&ExaminedRun::covered))) /
           static_cast<double>(runs.size());
  }
  double coverage_error() const { return std::sqrt(coverage() * (1 - coverage()) / static_cast<double>(runs.size())); }
};

/// Runs in the order of their estimates, so that an interval that misses is seen at once.
void add_coverage_figure(Results& merged, const ExaminedNumber& of, const std::string& units) {
  rows("run", of.runs)
      .prefix("run_" + of.name)
      .interval(
          "", [](const ExaminedRun& run) { return run; }, "estimate", units)
      .ends("lower end", "upper end")
      .number("_truth", &ExaminedRun::truth, "truth", units)
      .write(merged);
  merged.figure({.name = of.name + "_coverage",
                 .title = "Intervals and true value of the " + of.name,
                 .caption = concat("Runs in the order of their estimates; the interval contains the true value in ",
                                   plain_text(100 * of.coverage()), " % of them."),
                 .variables = {"run_" + of.name, "run_" + of.name + "_low", "run_" + of.name + "_high"},
                 .references = {"run_" + of.name + "_truth"},
                 .x = "run"});
}

void examine_runs(Results& merged, const ExaminedNumber& temperature, const ExaminedNumber& stubbornness) {
  if (is_swept(merged.data)) add_swept_estimates(merged, true);
  const std::size_t runs = temperature.runs.size();
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
  merged.finding(EstimatesExamined{runs, count_moving(merged), temperature.median_error(), stubbornness.median_error(),
                                   temperature.coverage(), temperature.coverage_error(), stubbornness.coverage(),
                                   stubbornness.coverage_error()});
}

/// Simulated crowds that never move: how often motion is claimed all the same.
void examine_unchanging(Results& merged) {
  const std::size_t runs = view(merged.data, "unchanging_p").size(), claimed = count_moving(merged);
  const double share = static_cast<double>(claimed) / static_cast<double>(runs);
  merged.scalar("false_claims", share, "1", "share of the unchanging crowds in which something is said to move");
  merged.check({"false_claims", "share of the unchanging crowds in which something is said to move", kSource, 0, share,
                absolute(kMayMiss)});
  merged.headline({.variable = "false_claims",
                   .label = "False claims",
                   .meaning = concat("Share of ", runs, " crowds that never move in which motion is claimed.")});
  std::vector<double> sorted = view(merged.data, "unchanging_p").values();
  std::sort(sorted.begin(), sorted.end());
  const auto place = [](double, std::size_t k) { return static_cast<double>(k + 1); };
  const auto even = [&](double, std::size_t k) { return (static_cast<double>(k) + 0.5) / static_cast<double>(runs); };
  rows("run", sorted, place, "run, in the order of p", "")
      .number("run_p", std::identity(), "p of the permutation test")
      .number("run_p_even", even, "evenly spread")
      .write(merged);
  set_least(merged.data.at("run_p"), least_values(merged.data.at("unchanging_p")).at({}, {}, 0));
  merged.figure({.name = "false_claims",
                 .title = "p of the permutation test where nothing moves",
                 .caption = "Runs in the order of p; of a calibrated test p is spread evenly (dashed).",
                 .variables = {"run_p"},
                 .references = {"run_p_even"},
                 .x = "run"});
  merged.finding(StillnessExamined{runs, claimed, count_moving(merged, 0.05)});
}

void examine_one(Results& merged, const ExaminedNumber& temperature) {
  merged.check({"temperature", "estimated temperature", "the simulated value", temperature.runs[0].truth,
                temperature.runs[0].value, relative(kWithin)});
  merged.check({"interval", "1 where the interval of the temperature contains the true value", "the simulated value", 1,
                temperature.coverage(), absolute(0)});
}

/// Runs of a single window each, with other settings or groups of the same file: what describes how many of them.
void describe_runs(Results& merged) {
  merged.headline({.variable = "motion_p",
                   .label = "p that nothing moves",
                   .meaning = concat("Permutation test; motion is claimed at p <= ", plain_text(kMovesLevel), ".")});
  add_swept_estimates(merged, false);
  const std::vector<double> p = view(merged.data, "unchanging_p").values();
  merged.finding(MotionFound{count_moving(merged), p.size(), "runs"});
  merged.finding(unresolved_in(merged));
  if (!merged.data.has("log_likelihood")) return;
  std::map<Account, std::size_t> counts;
  for (const Evidence& evidence : evidence_of(merged))
    if (evidence.moves()) ++counts[account_of(evidence)];
  merged.finding(RunsDescribed{count_moving(merged), counts[Account::attention], counts[Account::drift],
                               counts[Account::both], counts[Account::either],
                               counts[Account::none] + counts[Account::refuted]});
}

/// How often attention says more than a common drift does, inside the windows and about the next period.
void judge_windows(Results& merged) {
  const std::vector<Evidence> evidence = evidence_of(merged);
  const auto ahead = view(merged.data, "held_out").series("explanation");
  const std::vector<double> open = view(merged.data, "temperature_open").values();
  const std::vector<double> low_open = view(merged.data, "temperature_low_open").values();
  const std::size_t windows = evidence.size();
  const auto next_of = [&](std::size_t w, Explanation e) { return ahead[w][static_cast<std::size_t>(e)]; };
  std::size_t drift = 0, attention = 0, both = 0, asked = 0, better = 0, closed = 0, above = 0;
  double ahead_drift = 0, ahead_both = 0;
  for (std::size_t w = 0; w < windows; ++w) {
    const Evidence& of = evidence[w];
    const auto significant = [&](double more) { return of.moves() && of.resolved() && more > kTwoMoreAtLevel; };
    drift += significant(of.gain(Explanation::drift)) ? 1 : 0;
    attention += significant(of.gain(Explanation::attention)) ? 1 : 0;
    both += tells_influence(of) ? 1 : 0;
    closed += open[w] == 0 ? 1 : 0;
    above += low_open[w] == 0 && open[w] == 0 ? 1 : 0;
    const double next = next_of(w, Explanation::attention_drift) - next_of(w, Explanation::drift);
    if (std::isnan(next)) continue;
    ++asked;
    better += next > 0 ? 1 : 0;
    ahead_drift += next_of(w, Explanation::drift);
    ahead_both += next_of(w, Explanation::attention_drift);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, asked));
  const std::size_t moving = count_moving(merged);
  merged.scalar("windows_moving", static_cast<double>(moving), "1", "windows in which something moves");
  merged.scalar("windows_drift", static_cast<double>(drift), "1",
                "windows in which the drift improves significantly on the frozen model");
  merged.scalar("windows_attention", static_cast<double>(attention), "1",
                "windows in which attention alone improves significantly on the frozen model");
  merged.scalar("windows_both", static_cast<double>(both), "1",
                "windows in which attention and drift improve significantly on the drift alone");
  merged.headline({.variable = "windows_both",
                   .label = concat("Windows of ", windows, " with attention"),
                   .meaning = "Adding attention to the drift improves the fit significantly (likelihood ratio, 5 % "
                              "level, 2 more parameters), in a model that describes the samples."});
  merged.headline({.variable = "windows_attention",
                   .label = concat("Windows of ", windows, ", attention alone"),
                   .meaning = "Attention alone compared with the frozen model, at the same level."});
  merged.headline({.variable = "windows_drift",
                   .label = concat("Windows of ", windows, ", drift alone"),
                   .meaning = "Drift and growth compared with the frozen model, at the same level."});
  merged.finding(NextPeriodPredicted{asked, better, ahead_drift / count, ahead_both / count});
  merged.note(
      "Windows that overlap contain the same samples, so neighbouring windows are not independent. A temperature near "
      "0 "
      "means that no averaging is detected; it does not mean that people have no influence on each other. "
      "Where s is near 1, the temperature is not identified. "
      "The intervals are widened for people who are measured repeatedly; the likelihood comparisons are not.");
  merged.finding(WindowsDescribed{moving, both, attention, drift, closed, above});
}

void add_density_figures(Results& merged) {
  for (const std::string which : {"measured", "fitted"}) {
    merged.figure({.kind = "heatmap",
                   .name = which + "_density",
                   .title = which == "measured" ? "Measured opinions" : "Fitted opinions",
                   .caption = which == "measured"
                                  ? "Histogram of each period's sample."
                                  : "Density of the model that describes it best, each period from the nearest window.",
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
       .caption =
           "Density of the model that describes it best (dashed) and histogram of the sample; the slider selects "
           "the period.",
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

/// Scenarios: how often influence is claimed with and without it.
void examine_influence(Results& merged) {
  const std::vector<double> with = view(merged.data, "truth_influence").values();
  const std::vector<Evidence> all = evidence_of(merged);
  InfluenceExamined found{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    ++(with[k] > 0 ? found.with : found.without);
    (with[k] > 0 ? found.claims : found.false_claims) += tells_influence(all[k]) ? 1 : 0;
  }
  merged.finding(found);
  merged.headline({.variable = "influence_claimed",
                   .label = "Influence claimed",
                   .predicted = "truth_influence",
                   .meaning = "1: attention improves significantly, in a model that describes the samples."});
}

}  // namespace

void conclude_fit(Results& merged) {
  const std::size_t all = view(merged.data, "unchanging_p").size();
  const bool one = merged.data.size_of("window") == 1, simulated = merged.data.has("truth_temperature");
  const bool has_truth = simulated && view(merged.data, "truth_moves").first() > 0;
  if (all > 1 && merged.data.has("truth_influence")) return examine_influence(merged);
  if (one && has_truth) {
    const ExaminedNumber temperature(merged, "temperature"), stubbornness(merged, "stubbornness");
    if (all > 1) return examine_runs(merged, temperature, stubbornness);
    examine_one(merged, temperature);
  }
  if (one && simulated && !has_truth && all > 1) return examine_unchanging(merged);
  const bool still = all == 1 && count_moving(merged) == 0;
  if (all == 1) conclude_one(merged, has_truth);
  add_density_figures(merged);
  add_period_figure(merged);
  if (!still) add_surface_figure(merged);
  if (!one) {
    add_number_figure(merged, "temperature", "Temperature over time", true);
    add_number_figure(merged, "stubbornness", "Stubbornness over time", false);
  }
  if (all == 1) return;
  if (one) return describe_runs(merged);
  merged.finding(MotionFound{count_moving(merged), all, "windows"});
  merged.finding(unresolved_in(merged));
  const bool fitted = merged.data.has("log_likelihood");
  if (merged.finding(RivalsNotFitted{all, fitted})) return;
  add_rival_figures(merged);
  judge_windows(merged);
}

}  // namespace fovea::opinion::fit
