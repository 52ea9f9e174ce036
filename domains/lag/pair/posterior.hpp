#pragma once
/// The posterior of the lag between two curves: a grid of lags, and an average over everything else.
///
/// p(lag | data) ~ prior(lag) sum over windows and numbers of  L(lag, window, numbers) prior(numbers) / q(numbers)
/// with the numbers (damping time, sigma, scale, further errors) drawn from a normal distribution q about their best
/// values at each window (importance sampling with Laplace's approximation; fixed draws in opposite pairs).

#include <functional>
#include <vector>

#include "fovea/domains/lag/pair/model.hpp"

namespace fovea::lag::pair {

/// Hears how much of a work is done, in [0, 1].
using Told = std::function<void(double)>;

struct Interval {
  double low = 0, high = 0;
  bool holds(double x) const { return low <= x && x <= high; }
};

struct PosteriorSettings {
  double low = 0, high = 0;  ///< lags looked at; both 0: default_lag_range()
  int trend = 0;             ///< 1: a straight line is taken off each curve
  bool tails = false;        ///< windows with an exponential tail too
  bool outliers = true;      ///< weighed less at the best fit (pair_outliers.hpp), from the variances as they come
  int draws = 16;            ///< of the numbers for each window, even
  Told told = {};            ///< how much is done, ascending; by any thread, one at a time
};

/// Piecewise constant over cells of lags, ascending.
struct LagPosterior {
  std::vector<double> middle, size;                        ///< of each cell
  std::vector<double> mass;                                ///< of each cell; sums to 1
  double lag = 0;                                          ///< median of the posterior
  Interval interval68, interval95;                         ///< shortest intervals that hold as much
  double main_share = 1;                                   ///< mass of the main mode
  EchoWindow window;                                       ///< best
  WalkNumbers numbers;                                     ///< best, at that window
  PairModel::Alone driver, response;                       ///< each curve as a walk of its own
  std::size_t driver_outliers = 0, response_outliers = 0;  ///< points that are rather outliers than not
  double log_bayes_factor = 0;                             ///< best likelihood of one walk above that of two walks
};

/// Half of the shorter curve's span to either side: at a larger lag less than half of the shorter curve meets the
/// other.
Interval default_lag_range(const ScaledCurve& driver, const ScaledCurve& response);

/// Share of the response's points that, moved back by the lag, fall where the driver was sampled (not into gaps).
double overlap_at(double lag, const ScaledCurve& driver, const ScaledCurve& response);

/// Widths of a top hat: 0, and six geometric ones from half of the response's median distance of points to an eighth of
/// the range of lags.
std::vector<double> width_nodes(const ScaledCurve& response, double range);

/// Windows that are averaged over, all with the same prior: top hats of these widths, and with `tails` 12 exponentials,
/// the longest a fourteenth of the range, each 1.35 times the next. The lag is the mean of the window.
std::vector<EchoWindow> echo_windows(const ScaledCurve& response, double range, bool tails);

/// Throws ArgumentError for a range that is empty or wider than the curves.
LagPosterior lag_posterior(const ScaledCurve& driver, const ScaledCurve& response, const PosteriorSettings& settings);

/// Shortest interval of the cells that holds this mass.
Interval shortest_interval(const LagPosterior& posterior, double mass);

}  // namespace fovea::lag::pair
