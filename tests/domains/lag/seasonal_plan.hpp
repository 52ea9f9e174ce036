#pragma once
/// A plan of light curves, for the tests of lag.pair.

#include "fovea/datasets/simulated/light_curves.hpp"

namespace fovea::support {

/// Two seasons with a gap of 40 between them; the response follows after 21, with a width of 5. With 50 and 30 points a
/// posterior takes a tenth of a second.
inline datasets::simulated::LightCurvePlan seasonal_plan(Index driver_points, Index response_points,
                                                         double damping_time) {
  datasets::simulated::LightCurvePlan plan;
  plan.driver_points = driver_points;
  plan.response_points = response_points;
  plan.span = 300;
  plan.seasons = 2;
  plan.gap = 40;
  plan.damping_time = damping_time;
  plan.lag = 21;
  plan.width = 5;
  plan.driver_error = plan.response_error = 0.07;
  return plan;
}

}  // namespace fovea::support
