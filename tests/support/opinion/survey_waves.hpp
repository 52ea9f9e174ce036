#pragma once
/// Answers of a survey, for the tests of the fit.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/fit/data.hpp"

namespace fovea::support {

/// Five waves of `count` answers on the points 0 to `points` - 1 (0: any number), normal of sd 1 about drift times the
/// wave; years 2000, 2002, ...
inline opinion::fit::OpinionSeries survey_waves(const Random& random, std::size_t count, int points, double drift) {
  opinion::fit::OpinionSeries series;
  for (std::uint64_t t = 0; t < 5; ++t) {
    series.times.push_back(2000 + 2 * static_cast<double>(t));
    series.samples.emplace_back();
    for (std::uint64_t k = 0; k < count; ++k) {
      const double opinion = drift * static_cast<double>(t) + random.normal(k, t);
      const double point = std::round((opinion + 2) / 4 * (points - 1));
      series.samples.back().push_back(points == 0 ? opinion : std::clamp(point, 0.0, points - 1.0));
    }
  }
  return series;
}

}  // namespace fovea::support
