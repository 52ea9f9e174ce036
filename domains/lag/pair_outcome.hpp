#pragma once
/// Everything that is said about one driver and one response.
///
/// In the results of `lag.pair`, over the dimension "pair": driver, response (names), lag, lag_low68, lag_high68,
/// lag_low95, lag_high95, false_alarm; lag_main_share, width, log_bayes_factor, attention_lag, centroid_lag,
/// centroid_low68, centroid_high68. Over ("pair", "lag_profile"): posterior, attention, attention_low, attention_high,
/// interpolated, discrete.

#include <string>
#include <vector>

#include "fovea/domains/lag/pair_null.hpp"

namespace fovea::lag {

struct PairSettings {
  double lag_low = 0, lag_high = 0;  ///< both 0: default_lag_range()
  bool detrend = false;              ///< a straight line is taken off each curve
  bool negative = false;             ///< the response mirrors the driver: high where it is low
  int draws = 99;                    ///< unrelated pairs drawn for the false alarm and the null band, >= 0
  int profile_lags = 241;            ///< points of each profile, >= 11
};

struct PairOutcome {
  std::string driver, response;
  Interval range;  ///< of lags that were looked at
  LagPosterior posterior;
  FalseAlarm alarm;
  std::vector<double> lags;  ///< of the profiles, evenly spaced
  std::vector<double> density, attention, interpolated, discrete;  ///< density: posterior per unit of time
  NullBand band;                                                   ///< of the attention
  double bandwidth = 0;                                            ///< of the attention
  double attention_lag = 0;                                        ///< centroid of the attention profile
  CentroidLag centroid;                                            ///< of the interpolated correlation
  ScaledCurve driver_curve, response_curve;
};

/// The same bits for any number of threads. Throws ArgumentError for curves with fewer than 4 points, constant curves,
/// times out of order, and ranges that are empty or where fewer than half of the shorter curve could meet the other.
PairOutcome study_pair(const Curve& driver, const Curve& response, const PairSettings& settings, const Random& random);

}  // namespace fovea::lag
