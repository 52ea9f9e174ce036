#pragma once
/// Series that have nothing to do with one another: whatever looks for links in them must find none.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::support::kinds {

struct IndependentSeriesPlan {
  Index series = 20, steps = 1000;  ///< >= 1
  double autocorrelation = 0.9;     ///< of each series with itself one step before, in (-1, 1)
  int degrees = 0;                  ///< of freedom of the shocks' Student distribution: 3 has heavy tails; 0: normal
};

/// x_s(t) = a x_s(t - 1) + shock_s(t), each series by itself, from where its start is forgotten to 1e-9. The shock of
/// a series at a step is a function of (random, series, step). Throws ArgumentError for numbers outside their range.
datasets::series::SeriesTable independent_series(const IndependentSeriesPlan& plan, const Random& random);

}  // namespace fovea::support::kinds
