#pragma once
/// Light curves with a known lag: a damped random walk and its delayed, smoothed echo, seen through seasons and noise.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::datasets::simulated {

/// How the errors differ from normal ones of the stated standard deviation.
struct ErrorPlan {
  double factor = 1;    ///< true errors over stated ones, > 0
  int degrees = 0;      ///< > 0: Student's t of so many degrees times the stated error; 0: normal
  double outliers = 0;  ///< share of the points, 0 to 1, with a further error of 5 to 10 stated ones, of either sign
};

/// How a pair is made. Times in days.
///
///   driver    s(t): damped random walk of standard deviation 1, Cov = exp(-|t - t'| / damping_time)
///   response  scale * mean of s over a top hat of this width, centred at t - lag
///   observed  `seasons` stretches of equal length with gaps between them; moments uniform within them; errors
struct LightCurvePlan {
  Index driver_points = 120, response_points = 60;
  double span = 1100;          ///< from the first season's begin to the last one's end
  int seasons = 4;             ///< >= 1
  double gap = 150;            ///< between seasons; seasons * gap < span
  double damping_time = 100;   ///< > 0
  double lag = 40, width = 8;  ///< width >= 0; lag of either sign
  double scale = 1;
  double driver_error = 0.1, response_error = 0.15;  ///< standard deviations; the response's in units of the scale
  ErrorPlan errors;                                  ///< of both curves
  bool related = true;                               ///< false: the response echoes a walk of its own
};

/// The curves "driver" and "response". The walk is an exact autoregression on a grid of 1/16 of the mean distance of
/// samples, and linear in between. Throws ArgumentError for numbers outside their range.
datasets::series::CurveGroup light_curves(const LightCurvePlan& plan, const Random& random);

/// Plans as differently as nature makes them: lag 5 to 80 days, width up to 0.4 of it, damping time 40 to 300 days, 80
/// to 160 and 30 to 90 points, errors of 5 to 20 %.
LightCurvePlan random_light_curve_plan(const Random& random);

/// A damped random walk of standard deviation 1 at ascending moments, exact: x_i = a x_i-1 + sqrt(1 - a^2) e_i with
/// a = exp(-(t_i - t_i-1) / damping_time).
std::vector<double> damped_random_walk(const std::vector<double>& time, double damping_time, const Random& random);

/// The same walk's mean over a top hat of this width about each of the ascending moments, exact: the walk and its
/// integral are drawn together from one edge of a top hat to the next. Width 0: the walk itself.
std::vector<double> smoothed_random_walk(const std::vector<double>& time, double width, double damping_time,
                                         const Random& random);

}  // namespace fovea::datasets::simulated
