#include "fovea/domains/opinion/fit/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr int kBins = 48;          // of the densities drawn
constexpr Index kMostNodes = 330;  // of a component: sixteen times the pairs of 81

/// With the gaps between the periods from window.first on.
WindowSettings settings_of(const FitPlan& plan, const OpinionSeries& series, const ExplainedWindow& window) {
  WindowSettings settings = plan.settings;
  settings.model.nodes = window.nodes;
  if (!series.gaps.empty())
    settings.model.gaps.assign(series.gaps.begin() + static_cast<std::ptrdiff_t>(window.first), series.gaps.end());
  return settings;
}

/// Fits all that is asked for, with more nodes than before if there are `coarser` fits.
std::vector<FittedModel> fit_explanations(const FitPlan& plan, const WindowSettings& settings,
                                          const WindowSample& sample, const std::vector<FittedModel>& coarser) {
  std::vector<FittedModel> done;
  for (const Explanation explanation : kExplanations) {
    if (!plan.rivals && explanation != plan.explanation) continue;
    done.push_back(explain(settings, explanation, sample, done, coarser.empty() ? nullptr : &coarser[done.size()]));
  }
  return done;
}

ExplainedWindow explain_window(const FitPlan& plan, const OpinionSeries& series, std::size_t first,
                               const Random& random) {
  const std::size_t end = first + plan.window;
  const WindowSample fitted = sample_of(series, first, plan.window);
  const WindowSample later = sample_of(series, end, std::min(plan.held_out, series.samples.size() - end));
  ExplainedWindow window;
  window.first = first;
  window.nodes = plan.settings.model.nodes;
  Evidence& evidence = window.evidence;
  evidence.unchanging =
      unchanging_p(fitted, std::span(series.times).subspan(first, plan.window), plan.permutations, random);
  WindowSettings settings = settings_of(plan, series, window);
  std::vector<FittedModel> done = fit_explanations(plan, settings, fitted, {});
  while (evidence.quadrature = quadrature_error(settings, done, fitted),
         evidence.moves() && !evidence.resolved() && 2 * window.nodes <= kMostNodes) {
    settings.model.nodes = window.nodes *= 2;
    done = fit_explanations(plan, settings, fitted, done);
  }
  window.log_likelihood.assign(kExplanations.size(), kNan);
  window.held_out.assign(kExplanations.size(), kNan);
  const auto place = [&](Explanation e) { return plan.rivals ? static_cast<std::size_t>(e) : 0; };
  for (std::size_t e = 0; e < kExplanations.size(); ++e) {
    if (!plan.rivals && kExplanations[e] != plan.explanation) continue;
    const FittedModel& model = done[place(kExplanations[e])];
    window.log_likelihood[e] = model.log_likelihood;
    if (!later.values.empty()) window.held_out[e] = held_out_log_density(settings, model, plan.window, later);
  }
  for (std::vector<double>* numbers : {&window.log_likelihood, &window.held_out}) {
    const double frozen = numbers->front();
    for (double& number : *numbers) number -= frozen;
  }
  window.fitted = done[place(plan.explanation)];
  if (plan.rivals) {
    evidence.gains = window.log_likelihood;
    const FittedModel& drift = done[place(Explanation::drift)];
    window.drift = drift.theta[kDrift];
    window.growth = drift.theta[kGrowth];
  }
  const Explanation drawn = drawn_explanation(evidence, plan.explanation);
  window.drawn = done[place(drawn)];
  evidence.described = described_p(settings, drawn, window.drawn, fitted);
  window.temperature = {exponential(window.fitted.theta[kLogTemperature]), kNan, kNan};
  window.stubbornness = {1 / (1 + exponential(-window.fitted.theta[kLogitStubbornness])), kNan, kNan};
  const bool several = plan.stride > 0;  // windows, whose intervals are drawn
  if (!plan.truth_moves && (plan.preview || !(several || tells_influence(evidence)))) return window;
  window.temperature = temperature_with_interval(settings, plan.explanation, window.fitted, fitted);
  window.stubbornness = stubbornness_with_interval(settings, plan.explanation, window.fitted, fitted);
  return window;
}

/// The window in whose middle the period is nearest.
const ExplainedWindow& window_of(const FitPlan& plan, const std::vector<ExplainedWindow>& windows, std::size_t period) {
  const auto distance = [&](const ExplainedWindow& window) {
    return std::abs(static_cast<double>(period) - static_cast<double>(window.first) -
                    0.5 * static_cast<double>(plan.window - 1));
  };
  return *std::min_element(windows.begin(), windows.end(),
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

std::vector<double> bin_centres(const SeriesScale& scale) {
  std::vector<double> centres;
  for (int b = 0; b < kBins; ++b) centres.push_back(scale.mean + scale.sd * ((b + 0.5) / kBins - 0.5) * 6);
  return centres;
}

/// Weighted share of a sample in each bin, over its width.
std::vector<double> histogram_of(const std::vector<double>& sample, const std::vector<double>& weights,
                                 const std::vector<double>& centres) {
  const double width = centres[1] - centres[0], low = centres[0] - width / 2;
  std::vector<double> density(centres.size(), 0.0);
  double total = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const double weight = weights.empty() ? 1.0 : weights[k];
    const auto bin = static_cast<std::ptrdiff_t>(std::floor((sample[k] - low) / width));
    total += weight;
    if (bin >= 0 && bin < static_cast<std::ptrdiff_t>(density.size())) density[bin] += weight;
  }
  for (double& number : density) number /= width * total;
  return density;
}

std::vector<double> shares_of(const std::vector<double>& sample, const std::vector<double>& weights,
                              const AnswerGrid& grid) {
  std::vector<double> shares(grid.points.size(), 0.0);
  double total = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const double weight = weights.empty() ? 1.0 : weights[k];
    shares[grid.nearest(sample[k])] += weight;
    total += weight;
  }
  for (double& share : shares) share /= total;
  return shares;
}

void write_densities(const FitPlan& plan, const OpinionSeries& series, const std::vector<ExplainedWindow>& windows,
                     Results& results) {
  const AnswerGrid& grid = plan.settings.grid;
  const std::vector<double> centres = grid.empty() ? bin_centres(plan.settings.scale) : grid.points;
  std::vector<double> measured, fitted;
  for (std::size_t t = 0; t < series.times.size(); ++t) {
    const std::vector<double> weights = series.weights.empty() ? std::vector<double>{} : series.weights[t];
    const std::vector<double> histogram =
        grid.empty() ? histogram_of(series.samples[t], weights, centres) : shares_of(series.samples[t], weights, grid);
    measured.insert(measured.end(), histogram.begin(), histogram.end());
    const ExplainedWindow& window = window_of(plan, windows, t);
    const std::size_t since = t - std::min(t, window.first);
    const FitModel model = settings_of(plan, series, window).model;
    const auto path = push_forward(model, window.drawn.theta, static_cast<Index>(since + 1));
    const double noise = exponential(window.drawn.theta[kLogNoise]);
    const std::vector<double> density =
        grid.empty() ? measured_density(path.back(), noise, centres) : measured_shares(path.back(), noise, grid);
    fitted.insert(fitted.end(), density.begin(), density.end());
  }
  results.coordinate("period", series.times, "", "period");
  results.coordinate("opinion", centres, "opinion", "opinion");
  const std::string units = grid.empty() ? "1/opinion" : "1", what = grid.empty() ? " density" : " share of answers";
  results.add("measured_density", {"period", "opinion"}, measured, units, "measured" + what);
  results.add("fitted_density", {"period", "opinion"}, fitted, units, "fitted" + what);
  results.add("stayed", {"period"}, series.stayed, "1",
              "share of the sample that was also measured in the previous period");
}

/// told: whether a single window's number means something. closable: whether its interval is given, if it is closed.
void write_number(const std::string& name, const std::string& units, FittedNumber ExplainedWindow::*number,
                  const std::vector<ExplainedWindow>& windows, bool told, bool closable, Results& results) {
  rows("window", windows)
      .interval(name, number, name, units)
      .ends("lower end of the interval", "upper end of the interval")
      .number(
          name + "_open", [&](const ExplainedWindow& window) { return (window.*number).high_open; },
          name + ": 1 where the interval has no upper end")
      .number(
          name + "_low_open", [&](const ExplainedWindow& window) { return (window.*number).low_open; },
          name + ": 1 where the interval has no lower end")
      .write(results);
  if (windows.size() > 1) return;
  const FittedNumber& only = windows.front().*number;
  results.scalar(name + "_estimate", told ? only.value : kNan, units,
                 name + ", estimate; none where nothing moves or a drift describes it");
  const bool closed = told && closable && !only.high_open && !only.low_open;
  results.scalar(name + "_half_width", closed ? (only.high - only.low) / 2 : kNan, units,
                 name + ", half width of the interval; none where it is open, and of a preview");
}

/// How well each explanation describes each window.
void write_rivals(const std::vector<ExplainedWindow>& windows, Results& results) {
  struct Described {
    double log_likelihood, held_out;
  };
  std::vector<Described> described;
  for (const ExplainedWindow& window : windows)
    for (std::size_t e = 0; e < kExplanations.size(); ++e)
      described.push_back({window.log_likelihood[e], window.held_out[e]});
  rows("explanation", kExplanations, &name_of, "explanation").write(results);
  rows({"window", "explanation"}, described)
      .number("log_likelihood", &Described::log_likelihood, "gain in log likelihood over the frozen model")
      .number("held_out", &Described::held_out, "gain in held-out log density per person over the frozen model")
      .write(results);
  rows("window", windows)
      .number("drift_alone", &ExplainedWindow::drift, "shift of all opinions in a step, fitted without attention",
              "opinion")
      .number("growth_alone", &ExplainedWindow::growth,
              "growth of the logarithm of the distances from the mean in a step, fitted without attention")
      .write(results);
}

/// 2 (l_max - l) with T and s held at each place of a grid around the estimate, all else free.
void write_surface(const FitPlan& plan, const OpinionSeries& series, const ExplainedWindow& window, Results& results) {
  const WindowSettings settings = settings_of(plan, series, window);
  const FitSettings fit = fit_settings(settings, plan.explanation);
  const std::vector<MeasuredPeriod> periods = measured_periods(settings, sample_of(series, window.first, plan.window));
  const std::size_t side = plan.surface;
  const auto grid = [&](double low, double high) {
    std::vector<double> places;
    for (std::size_t k = 0; k < side; ++k)
      places.push_back(low + (high - low) * static_cast<double>(k) / static_cast<double>(side - 1));
    return places;
  };
  constexpr double kWider = 1.0;  // half an interval more on each side
  const FittedNumber &t = window.temperature, &s = window.stubbornness;
  const double t_margin = kWider * (t.high - t.low) / 2, s_margin = kWider * (s.high - s.low) / 2;
  const std::vector<double> temperatures = grid(std::max(t.low / 2, t.low - t_margin), t.high + t_margin);
  const std::vector<double> stubborn =
      grid(std::max(s.low / 2, s.low - s_margin), std::min((1 + s.high) / 2, s.high + s_margin));
  std::vector<double> deviance(side * side);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < side * side; ++k) {
    std::vector<double> theta = window.fitted.theta;
    theta[kLogTemperature] = logarithm(temperatures[k % side]);
    theta[kLogitStubbornness] = logarithm(stubborn[k / side] / (1 - stubborn[k / side]));
    const Index held[] = {kLogTemperature, kLogitStubbornness};
    deviance[k] = 2 * (window.fitted.log_likelihood - maximise_others(fit, periods, theta, held).log_likelihood);
  }
  results.coordinate("surface_temperature", temperatures, "opinion^2", "temperature");
  results.coordinate("surface_stubbornness", stubborn, "1", "stubbornness");
  results.add("deviance", {"surface_stubbornness", "surface_temperature"}, deviance, "1",
              "2 (largest log likelihood - log likelihood)");
}

}  // namespace

std::vector<std::size_t> window_starts(const FitPlan& plan, std::size_t periods) {
  std::vector<std::size_t> starts{0};
  if (plan.stride == 0) return starts;
  while (starts.back() + plan.stride + plan.window <= periods) starts.push_back(starts.back() + plan.stride);
  if (starts.back() + plan.window < periods) starts.push_back(periods - plan.window);
  return starts;
}

std::vector<ExplainedWindow> explain_windows(const FitPlan& plan, const OpinionSeries& series, const Random& random,
                                             Workbench& bench) {
  const std::vector<std::size_t> starts = window_starts(plan, series.times.size());
  std::vector<ExplainedWindow> windows(starts.size());
  for_each_task(std::ssize(starts), true, [&](Index k) {
    windows[k] = explain_window(plan, series, starts[k], random.stream(concat("window ", k)));
  });
  bench.progress(1);
  return windows;
}

void write_windows(const FitPlan& plan, const OpinionSeries& series, const std::vector<ExplainedWindow>& windows,
                   Results& results) {
  const auto middle = [&](const ExplainedWindow& window) {
    return (series.times[window.first] + series.times[window.first + plan.window - 1]) / 2;
  };
  const auto correlation = [](const ExplainedWindow& window) {
    const Matrix<double>& c = window.fitted.covariance;
    return c(kLogTemperature, kLogitStubbornness) /
           std::sqrt(c(kLogTemperature, kLogTemperature) * c(kLogitStubbornness, kLogitStubbornness));
  };
  rows("window", windows, middle, "middle of the window", "")
      .number(
          "unchanging_p", [](const ExplainedWindow& window) { return window.evidence.unchanging; },
          "p of the hypothesis that all samples have one distribution")
      .number("correlation", correlation, "correlation of the estimates of log T and logit s")
      .number("nodes", &ExplainedWindow::nodes, "quadrature nodes of a component")
      .number(
          "quadrature_error", [](const ExplainedWindow& window) { return window.evidence.quadrature; },
          "what half as many nodes again change, as a share of what decides")
      .number(
          "described_p", [](const ExplainedWindow& window) { return window.evidence.described; },
          "p of the hypothesis that the samples are those of the model that fits best")
      .write(results);
  const double least = least_drawn_p(static_cast<std::size_t>(plan.permutations));
  set_least(results.data.at("unchanging_p"), least);
  const ExplainedWindow& first = windows.front();
  const bool told = plan.truth_moves || tells_influence(first.evidence);
  write_number("temperature", "opinion^2", &ExplainedWindow::temperature, windows, told, !plan.preview, results);
  write_number("stubbornness", "1", &ExplainedWindow::stubbornness, windows, told, !plan.preview, results);
  if (windows.size() == 1) {
    results.scalar("motion_p", first.evidence.unchanging, "1", "p of the test whether anything moves");
    set_least(results.data.at("motion_p"), least);
  }
  results.scalar("interval_level", plan.settings.level, "1", "confidence level of the intervals");
  results.scalar("with_drift", plan.explanation == Explanation::attention_drift ? 1 : 0, "1",
                 "1: temperature and stubbornness are fitted together with a drift");
  if (plan.rivals) write_rivals(windows, results);
  write_densities(plan, series, windows, results);
  if (plan.surface > 1 && windows.size() == 1 && !std::isnan(windows.front().temperature.low))
    write_surface(plan, series, windows.front(), results);
}

}  // namespace fovea::opinion::fit
