#pragma once
/// One window of a series, explained by attention and by its rivals.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/fit/search.hpp"

namespace fovea::opinion::fit {

/// Log likelihood that two more parameters must add: half the chi-square with 2 degrees of freedom at 95 %.
inline constexpr double kTwoMoreAtLevel = 5.99 / 2;

/// What explains a window, from nothing to everything. Each has its own start and, if it is free, its own noise.
enum class Explanation {
  frozen,           ///< nothing moves: T = 0
  drift,            ///< T = 0; mean and distances change at constant rates v and g
  uniform,          ///< T = infinity with s: everybody hears everybody alike (Friedkin and Johnsen, complete network)
  attention,        ///< T and s
  attention_drift,  ///< T, s, v and g
};
inline constexpr std::array kExplanations{Explanation::frozen, Explanation::drift, Explanation::uniform,
                                          Explanation::attention, Explanation::attention_drift};
std::string name_of(Explanation explanation);

struct WindowSettings {
  FitModel model;
  double noise = 0;  ///< known standard deviation of a measurement; 0: to be found
  double level = 0.95;
  SeriesScale scale;  ///< of the whole series: bounds and roundings are in its units
  AnswerGrid grid;    ///< on which answers are given; empty: they are continuous
};

/// The samples of one window, or of what follows it.
struct WindowSample {
  std::span<const std::vector<double>> values;
  std::span<const std::vector<double>> weights = {};        ///< of the respondents; empty: all alike
  std::span<const std::vector<std::int64_t>> persons = {};  ///< who answers; empty: everybody once
};
/// `count` periods from `first` on.
WindowSample sample_of(const OpinionSeries& series, std::size_t first, std::size_t count);

/// Bounds and fixed values of an explanation.
FitSettings fit_settings(const WindowSettings& settings, Explanation explanation);

/// Where the searches begin: the first sample in two halves, several temperatures and stubbornnesses.
std::vector<std::vector<double>> fit_starts(const WindowSettings& settings, Explanation explanation,
                                            std::span<const double> first_sample);

/// Answers on the grid; continuous ones rounded for speed to a sixtieth of the series' standard deviation.
std::vector<MeasuredPeriod> measured_periods(const WindowSettings& settings, const WindowSample& sample);

/// simpler: fits of other explanations; it begins there too, so that it is not worse than one that it contains.
/// coarser: a fit of the same with fewer nodes, from which it begins instead of from fit_starts().
FittedModel explain(const WindowSettings& settings, Explanation explanation, const WindowSample& sample,
                    std::span<const FittedModel> simpler = {}, const FittedModel* coarser = nullptr);

/// By how much half as many quadrature nodes again change what decides, as a share of it: the differences of the log
/// likelihoods of all but `uniform`, or where those are smaller, what is significant; of a single fit the deviance that
/// ends an interval. Large where a start is wider than its nodes are dense, and where camps form out of small
/// differences.
double quadrature_error(const WindowSettings& settings, std::span<const FittedModel> fits, const WindowSample& sample);
inline constexpr double kResolved = 0.1;  ///< the most at which anything is claimed

/// p of Pearson's chi-square that the shares of the answers (of continuous ones in cells of half a standard deviation)
/// are those of the fitted model. A cell that expects fewer than 5 counts as a part of one; where persons answer again,
/// statistic and degrees of freedom are divided by their mean number of answers. 1 without degrees of freedom.
double described_p(const WindowSettings& settings, Explanation explanation, const FittedModel& fitted,
                   const WindowSample& sample);
inline constexpr double kDescribed = 0.1;  ///< below it the model does not describe the samples: the test sees little

/// Estimate and interval in natural units: T, s.
struct FittedNumber {
  double value = 0, low = 0, high = 0;
  bool low_open = false, high_open = false;
};
/// Where persons are measured more than once the profile's interval is widened by the ratio of the cluster-robust
/// standard error to the plain one, if that is above 1.
FittedNumber temperature_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                       const WindowSample& sample);
FittedNumber stubbornness_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                        const WindowSample& sample);

/// Mean log density (on a grid: log probability) of a person of `later`, the periods that follow the `fitted_periods`
/// of the fit.
double held_out_log_density(const WindowSettings& settings, const FittedModel& fitted, std::size_t fitted_periods,
                            const WindowSample& later);

}  // namespace fovea::opinion::fit
