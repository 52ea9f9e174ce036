#include "fovea/domains/opinion/fit/window.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kLargestLogit = 6;       // s from 0.0025 to 0.9975
constexpr double kLogitOfNothing = -40;   // s = 4e-18
constexpr double kLargestGrowth = 0.3;    // a period; more would undo at once what attention did
constexpr double kLeastError = 1.0 / 12;  // of a step of the grid: what is less, answers on it cannot show
constexpr double kRounding = 1.0 / 60;    // of the series' sd: adds 0.1 % to the variance of an error of sd / 7

bool has_attention(Explanation explanation) {
  return explanation == Explanation::attention || explanation == Explanation::attention_drift;
}
bool has_drift(Explanation explanation) {
  return explanation == Explanation::drift || explanation == Explanation::attention_drift;
}

/// Mean and log sd of the sample, or of its lower and upper half, with the error taken off.
std::vector<double> start_of(std::span<const double> sample, Index components, double noise, double least_sd) {
  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / components;
  std::vector<double> start;
  for (Index c = 0; c < components; ++c) {
    const std::size_t first = c * half;
    const Moments part = moments(std::span(sorted).subspan(first, half));
    start.push_back(part.mean);
    start.push_back(0.5 * logarithm(std::max(least_sd * least_sd, part.variance - noise * noise)));
  }
  if (components == 2) start.push_back(0);
  return start;
}

/// One value for each person.
std::vector<MeasuredPeriod> unmerged_periods(const WindowSettings& settings, const WindowSample& sample) {
  std::vector<MeasuredPeriod> periods(sample.values.size());
  for (std::size_t t = 0; t < periods.size(); ++t) {
    const std::vector<double> weights = sample.weights.empty() ? std::vector<double>{} : sample.weights[t];
    periods[t].counts = answer_counts(sample.values[t].size(), weights);
    periods[t].values = sample.values[t];
    if (settings.grid.empty()) continue;
    for (double& value : periods[t].values) {
      const std::size_t k = settings.grid.nearest(value);
      value = settings.grid.points[k];
      periods[t].low.push_back(settings.grid.lower_edge(k));
      periods[t].high.push_back(settings.grid.lower_edge(k + 1));
    }
  }
  return periods;
}

/// sqrt of (C J C) / C for one parameter, C the inverse information and J the clustered one; at least 1.
double widening(const WindowSettings& settings, const FittedModel& fitted, const WindowSample& sample, Index place) {
  if (sample.persons.empty()) return 1;
  const Matrix<double> clustered =
      clustered_information(settings.model, fitted.theta, unmerged_periods(settings, sample), sample.persons);
  const Vector<double> column = fitted.covariance.col(place);
  const double plain = fitted.covariance(place, place), robust = column.dot(clustered.lazyProduct(column));
  return plain > 0 && robust > plain ? std::sqrt(robust / plain) : 1.0;
}

}  // namespace

std::string name_of(Explanation explanation) {
  constexpr std::array names{"frozen", "drift", "uniform", "attention", "attention and drift"};
  return names[static_cast<std::size_t>(explanation)];
}

FitSettings fit_settings(const WindowSettings& settings, Explanation explanation) {
  const double sd = settings.scale.sd, log_sd = logarithm(sd);
  const double far = 5 * sd + std::abs(settings.scale.mean);
  FitSettings fit{settings.model, {}};
  fit.bounds.push_back({2 * log_sd + logarithm(1e-6), 2 * log_sd + logarithm(1e2), has_attention(explanation)});
  fit.bounds.push_back(
      {-kLargestLogit, kLargestLogit, has_attention(explanation) || explanation == Explanation::uniform});
  fit.bounds.push_back({-sd, sd, has_drift(explanation)});
  fit.bounds.push_back({-kLargestGrowth, kLargestGrowth, has_drift(explanation)});
  const double least_error = settings.grid.empty() ? 0.02 * sd : std::min(kLeastError * settings.grid.step(), sd / 2);
  fit.bounds.push_back({logarithm(least_error), log_sd, settings.noise == 0});
  for (Index c = 0; c < settings.model.components; ++c) {
    fit.bounds.push_back({-far, far, true});
    fit.bounds.push_back({log_sd + logarithm(0.02), log_sd + logarithm(3.0), true});
  }
  if (settings.model.components == 2) fit.bounds.push_back({-4, 4, true});
  return fit;
}

std::vector<std::vector<double>> fit_starts(const WindowSettings& settings, Explanation explanation,
                                            std::span<const double> first_sample) {
  const double sd = settings.scale.sd, noise = settings.noise > 0 ? settings.noise : 0.15 * sd;
  const std::vector<double> start = start_of(first_sample, settings.model.components, noise, 0.1 * sd);
  std::vector<std::array<double, 2>> attention;
  if (explanation == Explanation::frozen || explanation == Explanation::drift)
    attention = {{kFrozenLogTemperature, kLogitOfNothing}};
  else if (explanation == Explanation::uniform)
    attention = {{kUniformLogTemperature, -1.0}, {kUniformLogTemperature, 3.0}};
  else
    for (const double temperature : {0.015, 0.06, 0.2, 0.7})
      for (const double logit : {-2.5, 0.0}) attention.push_back({2 * logarithm(sd) + logarithm(temperature), logit});
  std::vector<std::vector<double>> starts;
  for (const auto& [temperature, logit] : attention) {
    starts.push_back({temperature, logit, 0, 0, logarithm(noise)});
    starts.back().insert(starts.back().end(), start.begin(), start.end());
  }
  return starts;
}

WindowSample sample_of(const OpinionSeries& series, std::size_t first, std::size_t count) {
  WindowSample sample{std::span(series.samples).subspan(first, count)};
  if (!series.weights.empty()) sample.weights = std::span(series.weights).subspan(first, count);
  if (!series.persons.empty()) sample.persons = std::span(series.persons).subspan(first, count);
  return sample;
}

std::vector<MeasuredPeriod> measured_periods(const WindowSettings& settings, const WindowSample& sample) {
  std::vector<MeasuredPeriod> periods;
  for (std::size_t t = 0; t < sample.values.size(); ++t) {
    const std::span<const double> weights =
        sample.weights.empty() ? std::span<const double>{} : std::span<const double>(sample.weights[t]);
    periods.push_back(settings.grid.empty() ? measured_period(sample.values[t], kRounding * settings.scale.sd, weights)
                                            : measured_cells(sample.values[t], settings.grid, weights));
  }
  return periods;
}

FittedModel explain(const WindowSettings& settings, Explanation explanation, const WindowSample& sample,
                    std::span<const FittedModel> simpler, const FittedModel* coarser) {
  std::vector<std::vector<double>> starts = fit_starts(settings, explanation, sample.values.front());
  const FitSettings fit = fit_settings(settings, explanation);
  const std::vector<double> fixed = starts.front();
  if (coarser != nullptr) starts = {coarser->theta};
  for (const FittedModel& fitted : simpler) {
    starts.push_back(fitted.theta);
    for (std::size_t p = 0; p < fixed.size(); ++p)
      if (!fit.bounds[p].free) starts.back()[p] = fixed[p];
    if (fitted.theta[kLogitStubbornness] != kLogitOfNothing) continue;
    starts.push_back(starts.back());  // what does not move is also a crowd of stubbornness 1
    starts.back()[kLogitStubbornness] = kLargestLogit;
  }
  return maximise_likelihood(fit, measured_periods(settings, sample), starts);
}

double quadrature_error(const WindowSettings& settings, std::span<const FittedModel> fits, const WindowSample& sample) {
  constexpr double kEndsInterval = 1.92;  // of log likelihood, at 95 %
  FitModel finer = settings.model;
  finer.nodes += finer.nodes / 2;
  const std::vector<MeasuredPeriod> periods = measured_periods(settings, sample);
  std::vector<double> values, changes;
  for (const FittedModel& fitted : fits) {
    if (fits.size() > 1 && fitted.theta[kLogTemperature] == kUniformLogTemperature) continue;
    values.push_back(fitted.log_likelihood);
    changes.push_back(fit_likelihood(finer, fitted.theta, periods, false).value - values.back());
  }
  double worst = fits.size() > 1 ? 0 : std::abs(changes[0]) / kEndsInterval;
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      worst = std::max(worst,
                       std::abs(changes[a] - changes[b]) / std::max(kTwoMoreAtLevel, std::abs(values[a] - values[b])));
  return worst;
}

double described_p(const WindowSettings& settings, Explanation explanation, const FittedModel& fitted,
                   const WindowSample& sample) {
  constexpr double kLeastExpected = 5;
  const auto& [mean, sd] = settings.scale;
  const AnswerGrid cells = settings.grid.empty() ? even_grid(mean - 2 * sd, mean + 2 * sd, sd / 2) : settings.grid;
  const auto path = push_forward(settings.model, fitted.theta, static_cast<Index>(sample.values.size()));
  double square = 0, degrees = 0, answers = 0;
  for (const FitBound& bound : fit_settings(settings, explanation).bounds) degrees -= bound.free ? 1 : 0;
  std::set<std::int64_t> persons;
  for (std::size_t t = 0; t < path.size(); ++t) {
    const std::vector<double> weights = sample.weights.empty() ? std::vector<double>{} : sample.weights[t];
    const MeasuredPeriod period = measured_cells(sample.values[t], cells, weights);
    std::vector<double> rest = measured_shares(path[t], exponential(fitted.theta[kLogNoise]), cells);
    const double total = period.total();
    degrees -= 1;
    for (double& share : rest) {
      share *= total;
      degrees += std::min(1.0, share / kLeastExpected);
    }
    const std::vector<double> expected = rest;
    for (std::size_t k = 0; k < period.values.size(); ++k) rest[cells.nearest(period.values[k])] -= period.counts[k];
    for (std::size_t k = 0; k < rest.size(); ++k) square += rest[k] * rest[k] / std::max(kLeastExpected, expected[k]);
    answers += static_cast<double>(sample.values[t].size());
    if (!sample.persons.empty()) persons.insert(sample.persons[t].begin(), sample.persons[t].end());
  }
  const double each = persons.empty() ? 1 : answers / static_cast<double>(persons.size());
  return degrees > 0 ? chi_squared_upper(square / each, degrees / each) : 1;
}

FittedNumber temperature_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                       const WindowSample& sample) {
  const ProfileInterval ends =
      profile_interval(fit_settings(settings, explanation), measured_periods(settings, sample), fitted, kLogTemperature,
                       settings.level, widening(settings, fitted, sample, kLogTemperature));
  return {exponential(fitted.theta[kLogTemperature]), exponential(ends.low), exponential(ends.high), ends.low_open,
          ends.high_open};
}

FittedNumber stubbornness_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                        const WindowSample& sample) {
  const ProfileInterval ends =
      profile_interval(fit_settings(settings, explanation), measured_periods(settings, sample), fitted,
                       kLogitStubbornness, settings.level, widening(settings, fitted, sample, kLogitStubbornness));
  const auto share = [](double logit) { return 1 / (1 + exponential(-logit)); };
  return {share(fitted.theta[kLogitStubbornness]), share(ends.low), share(ends.high), ends.low_open, ends.high_open};
}

double held_out_log_density(const WindowSettings& settings, const FittedModel& fitted, std::size_t fitted_periods,
                            const WindowSample& later) {
  const auto path =
      push_forward(settings.model, fitted.theta, static_cast<Index>(fitted_periods + later.values.size()));
  const std::vector<MeasuredPeriod> periods = measured_periods(settings, later);
  double sum = 0, total = 0;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    sum += log_density_of(path[fitted_periods + k], exponential(fitted.theta[kLogNoise]), periods[k]);
    total += periods[k].total();
  }
  return sum / total;
}

}  // namespace fovea::opinion::fit
