#pragma once
/// Everything that is said about one driver and one response.
///
/// In the results of `lag.pair` it stands over the dimension "pair"; pair_report.hpp says how.

#include <string>
#include <vector>

#include "fovea/domains/lag/pair/null.hpp"

namespace fovea::lag::pair {

struct PairSettings {
  double lag_low = 0, lag_high = 0;  ///< both 0: default_lag_range()
  bool detrend = false;              ///< a straight line is taken off each curve
  bool tails = false;                ///< echoes with an exponential tail too; the lag is the mean of the window
  bool negative = false;             ///< the response mirrors the driver: high where it is low
  bool outliers = true;              ///< points may be outliers, which count less (pair_outliers.hpp)
  int draws = 99;                    ///< unrelated pairs drawn for the false alarm and the null band, >= 0
  std::vector<double> profile_lags;  ///< evenly spaced, ascending; empty: 241 over the range of lags
  Told told = {};                    ///< how much is done, ascending; by any thread, one at a time
};

struct PairOutcome {
  std::string driver, response;
  Interval range;  ///< of lags that were looked at
  LagPosterior posterior;
  FalseAlarm alarm;
  std::vector<double> lags;  ///< of the profiles; what lies outside of the range is NaN
  std::vector<double> density, attention, interpolated, discrete;  ///< density: posterior per unit of time
  NullBand band;                                                   ///< of the attention
  double bandwidth = 0;                                            ///< of the attention
  double attention_lag = 0;                                        ///< centroid of the attention profile
  CentroidLag centroid;                                            ///< of the interpolated correlation
  ScaledCurve driver_curve, response_curve;
};

/// The lags that are looked at. Throws ArgumentError for a range that is empty or where the curves do not meet.
Interval lag_range(const PairSettings& settings, const ScaledCurve& driver, const ScaledCurve& response);

/// count lags from one end of the range to the other.
std::vector<double> spread_lags(Interval range, int count);

/// The same bits for any number of threads. Throws ArgumentError for curves with fewer than 4 points, constant curves,
/// times out of order, and ranges as in lag_range().
PairOutcome study_pair(const datasets::series::Curve& driver, const datasets::series::Curve& response,
                       const PairSettings& settings, const Random& random);

}  // namespace fovea::lag::pair
