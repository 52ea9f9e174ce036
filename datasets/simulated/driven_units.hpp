#pragma once
/// Linear units that drive one another with lags: made data whose links, forecasts and covariances are known. The
/// statements about confounders use it, and whatever looks for lags in data can be tested on it.
///
///   x_u(t) = sum over links (d -> u, lag l, strength a) of a x_d(t - l) + noise_u e_u(t),   e standard normal
///
/// (a vector autoregression with few coefficients: Luetkepohl 2005, eq. 2.1.1).

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

/// Unit `driver` at time t - lag acts on unit `target` at time t.
struct LaggedLink {
  Index driver = 0, target = 0;
  Index lag = 1;        ///< steps, >= 1
  double strength = 0;  ///< of the target per unit of the driver
};

struct DrivenUnits {
  std::vector<std::string> names;  ///< one a unit
  std::vector<double> noise;       ///< standard deviation of each unit's own noise, >= 0
  std::vector<LaggedLink> links;   ///< from a unit to itself: its memory
  Index units() const { return static_cast<Index>(noise.size()); }
  Index longest_lag() const;  ///< 1 where there are no links
};

/// Units x (0), y (1), z (2): z, with a memory of its own, drives x after lag_x and y after lag_y > lag_x steps, so x
/// shows early what y will do. direct: what x itself does to y, after lag_y - lag_x steps; 0: nothing (a confounder
/// in the sense of Reichenbach 1956).
struct CommonDriver {
  double memory = 0.6;                  ///< z(t) per z(t - 1), in (-1, 1)
  Index lag_x = 1, lag_y = 3;           ///< steps
  double to_x = 1, to_y = 1;            ///< strength
  double direct = 0;                    ///< strength of x -> y
  double noise_x = 0.5, noise_y = 0.5;  ///< standard deviations; that of z is 1
};
DrivenUnits driven_by_common(const CommonDriver& settings);

/// A river: rain and melting snow upstream, two gauges, a harbour with tides, and a pump that has to do with nothing.
DrivenUnits river();

/// `steps` x units, from the stationary process: it has run until its start, 0, was forgotten. The noise of unit u at
/// a step is a function of (random, u, step). Throws ArgumentError for units out of range, a negative noise, a lag
/// below 1, and where the links let the units grow without bound.
Matrix<double> simulate(const DrivenUnits& units, Index steps, const Random& random);

/// Gamma(h)_ab = E x_a(t) x_b(t - h) for h = 0 ... last, exact but for rounding: the fixed point P = A P A' + Q of the
/// companion form, by doubling (Anderson & Moore 1979, section 6.7). Throws as simulate().
std::vector<Matrix<double>> autocovariances(const DrivenUnits& units, Index last);

/// One value of the past: of a unit, lag >= 1 steps ago.
struct PastValue {
  Index unit = 0, lag = 1;
};

/// The best linear forecast of x_target(t) from some values of the past (for normal noise: the best of all).
struct LinearForecast {
  Vector<double> coefficients;  ///< one for each past value
  double variance = 0;          ///< of its error; that of the unit where there are no past values
};
LinearForecast best_forecast(const DrivenUnits& units, Index target, const std::vector<PastValue>& past);

/// All values of these units with lags 1 ... lags, unit by unit, the last step first.
std::vector<PastValue> past_of(const std::vector<Index>& units, Index lags);

}  // namespace fovea::datasets::simulated
