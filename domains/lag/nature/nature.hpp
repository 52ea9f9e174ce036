#pragma once
/// What each series is: the first thing to know before anything is tested.

#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::nature {

/// Of one series. Of a constant, or of fewer than 30 known values: NaN and empty but for zeros and distinct.
struct SeriesNature {
  double memory = 0;                      ///< correlation with its own value one step before
  Index order = 0;                        ///< of its autoregression (OwnPast)
  double unit_root_p = 1;                 ///< of "a random walk" (Said & Dickey 1984, with a constant): small where it
                                          ///< returns to its mean
  double trend_p = 1;                     ///< of "no straight trend", beside its own past
  std::vector<Index> level_breaks;        ///< first rows of new levels, at most 3 (p < .01 each), ascending
  std::vector<Index> variance_breaks;     ///< first rows of new variances of what the past leaves, at most 3
  double season_steps = 0, season_p = 1;  ///< period of the most conspicuous wave, and its p-value, the search counted
  double zeros = 0;                       ///< share of known values that are 0
  Index distinct = 0;                     ///< different known values
  double tails = 0;                       ///< excess kurtosis: 0 for a normal distribution
  Index outliers = 0;                     ///< values further than 4 robust deviations (1.4826 times the median absolute
                                          ///< one) from the median
};

/// Of every series, side by side. Breaks of level: the largest evidence of a step beside the own past; of variance:
/// cumulated squares with their fourth moment counted (Inclan & Tiao 1994; Sanso, Arago & Carrion 2004), asymptotic 1 %
/// limit; both again on either side. Time O(steps log steps) a series.
std::vector<SeriesNature> describe(const datasets::series::SeriesTable& table);

}  // namespace fovea::lag::nature
