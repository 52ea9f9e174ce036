#pragma once
/// What opinion.fit is fitted to: a series of samples, simulated with a known truth or read from a file.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/fit/model.hpp"

namespace fovea::opinion::fit {

struct OpinionSeries {
  std::vector<double> times;                       ///< of the periods: 0, 1, ... or years
  std::vector<std::vector<double>> samples;        ///< one a period
  std::vector<std::vector<std::int64_t>> persons;  ///< who each value is of; empty: everybody is measured once
  std::vector<double> stayed;  ///< share of a sample that was in the one before; NaN where that is not known
};

struct SimulatedTruth {
  double temperature = 0.15;
  double stubbornness = 0.1;
  double drift = 0;         ///< of all opinions a period
  double growth = 0;        ///< of the logarithm of the distances from the mean, a period
  double noise = 0.1;       ///< standard deviation of the error of a measurement
  double separation = 1.2;  ///< distance of the two normal halves of the crowd at period 0
  double spread = 0.5;      ///< standard deviation of each
  Index agents = 2000;
  Index periods = 12;
  Index sample = 2500;  ///< measurements a period
  double turnover = 1;  ///< probability that a place of the sample is filled anew from the crowd each period
  Index steps_per_period = 1;
};

/// A crowd of agents (the quantiles of the start, so that the truth is that of an infinite crowd) moves by
/// LineAttention; each period measures agents drawn with replacement. Shares nothing with fit_model.cpp.
OpinionSeries simulated_series(const SimulatedTruth& truth, const Random& random);

/// The periods first to last of a chamber, see read_ideal_points(); times are years. Throws DataError where fewer than
/// two periods are there.
OpinionSeries senate_series(const std::string& path, const std::string& chamber, std::int64_t first, std::int64_t last);

/// Mean and standard deviation over all samples.
struct SeriesScale {
  double mean = 0, sd = 0;
};
SeriesScale scale_of(const OpinionSeries& series);

/// The number of different answers where they lie on a grid, such as the points of a scale: at most 101 values, each
/// given ten times on the average. 0 for what is continuous.
std::size_t grid_values(const OpinionSeries& series);

}  // namespace fovea::opinion::fit
