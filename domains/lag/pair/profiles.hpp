#pragma once
/// How alike two curves are at each lag: by attention over time, and by the two correlations that astronomers use.
/// Every profile is over the same lags; NaN where too few points meet.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/lag/pair/posterior.hpp"

namespace fovea::lag::pair {

/// Attention in place of interpolation. A response at t asks what the driver was at t - lag: query t - lag, keys the
/// driver's moments, values its values, weight w_i ~ exp(-(t - lag - t_i)^2 / 2 h^2) / (error_i^2 + typical error^2):
/// a Gaussian kernel regression (Nadaraya 1964). The profile is the correlation of what is attended to with the
/// response, over the points whose query has a key within 2 h.
class AttentionProfile {
 public:
  /// h is chosen by leave-one-out on the driver.
  AttentionProfile(const ScaledCurve& driver, const ScaledCurve& response);
  double bandwidth() const { return bandwidth_; }
  /// Values at the driver's and the response's moments: those of the curves, or simulated ones.
  std::vector<double> correlations(const std::vector<double>& lags, const std::vector<double>& driver,
                                   const std::vector<double>& response) const;

 private:
  const ScaledCurve& driver_;
  const ScaledCurve& response_;
  std::vector<double> strengths_, response_weights_;
  double bandwidth_ = 1;
};

/// Interpolated cross-correlation (Gaskell & Peterson 1987): each curve in turn is interpolated linearly at the other's
/// moments, and the two correlations are averaged.
std::vector<double> interpolated_correlation(const ScaledCurve& driver, const ScaledCurve& response,
                                             const std::vector<double>& lags);

/// Where the profile is above 0.8 of its largest value, about that value, with a lag more at each end. NaN where no
/// value is above 0.
Interval top_of(const std::vector<double>& lags, const std::vector<double>& correlations);

/// Centroid of the profile there (without the lags more). NaN where there is none.
double centroid_of(const std::vector<double>& lags, const std::vector<double>& correlations);

/// Centroid of the interpolated cross-correlation; interval from flux randomisation and random subset selection
/// (Peterson et al. 1998): quantiles 0.16 and 0.84 of the centroids of curves drawn with replacement, points drawn
/// twice counted once, with normal errors added.
struct CentroidLag {
  double lag = 0, peak = 0;  ///< peak: largest correlation
  Interval interval68;
};
CentroidLag centroid_lag(const ScaledCurve& driver, const ScaledCurve& response, const std::vector<double>& lags,
                         int draws, const Random& random);

/// z-transformed discrete correlation (Alexander 1997): pairs of points in bins of lag, no point twice in a bin, at
/// least 11 pairs in each; errors by Fisher's z.
struct DiscreteCorrelation {
  std::vector<double> lag, value, low, high;
};
DiscreteCorrelation discrete_correlation(const ScaledCurve& driver, const ScaledCurve& response, Interval range,
                                         int bins);

}  // namespace fovea::lag::pair
