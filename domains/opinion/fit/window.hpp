#pragma once
/// One window of a series, explained by attention and by its rivals.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/fit/search.hpp"

namespace fovea::opinion::fit {

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
};

/// Bounds and fixed values of an explanation.
FitSettings fit_settings(const WindowSettings& settings, Explanation explanation);

/// Where the searches begin: the first sample in two halves, several temperatures and stubbornnesses.
std::vector<std::vector<double>> fit_starts(const WindowSettings& settings, Explanation explanation,
                                            std::span<const double> first_sample);

/// Rounded for speed to a sixtieth of the series' standard deviation.
std::vector<MeasuredPeriod> measured_periods(const WindowSettings& settings,
                                             std::span<const std::vector<double>> samples);

/// simpler: fits of other explanations; it begins there too, so that it is not worse than one that it contains.
FittedModel explain(const WindowSettings& settings, Explanation explanation,
                    std::span<const std::vector<double>> samples, std::span<const FittedModel> simpler = {});

/// Estimate and interval in natural units: T, s.
struct FittedNumber {
  double value = 0, low = 0, high = 0;
  bool low_open = false, high_open = false;
};
/// persons: who is measured, one list a sample; empty: everybody once. Where persons are measured more than once the
/// profile's interval is widened by the ratio of the cluster-robust standard error to the plain one, if that is
/// above 1.
FittedNumber temperature_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                       std::span<const std::vector<double>> samples,
                                       std::span<const std::vector<std::int64_t>> persons = {});
FittedNumber stubbornness_with_interval(const WindowSettings& settings, Explanation explanation, FittedModel& fitted,
                                        std::span<const std::vector<double>> samples,
                                        std::span<const std::vector<std::int64_t>> persons = {});

/// Mean log density of a person of `later`, the periods that follow the `fitted_periods` of the fit.
double held_out_log_density(const WindowSettings& settings, const FittedModel& fitted, std::size_t fitted_periods,
                            std::span<const std::vector<double>> later);

}  // namespace fovea::opinion::fit
