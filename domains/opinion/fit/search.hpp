#pragma once
/// Maximum likelihood for opinion.fit: Fisher scoring, and intervals from the profile of the likelihood.

#include <span>
#include <vector>

#include "fovea/domains/opinion/fit/model.hpp"

namespace fovea::opinion::fit {

/// Where a parameter may go; free = false keeps it where it starts.
struct FitBound {
  double low = 0, high = 0;
  bool free = true;
};

struct FitSettings {
  FitModel model;
  std::vector<FitBound> bounds;  ///< one for each parameter
  Index iterations = 60;         ///< at most, for each search
};

struct FittedModel {
  std::vector<double> theta;
  double log_likelihood = 0;
  Matrix<double> covariance;  ///< inverse of the outer-product information over the free parameters, 0 elsewhere
  bool converged = false;     ///< the last step promised less than 1e-4 of log likelihood
};

/// The best of the searches that begin at each of `starts`, of which the three that are highest after 8 iterations are
/// followed to their ends. A search is Fisher scoring with the outer-product
/// information (Berndt, Hall, Hall, Hausman 1974), damped after Marquardt (1963), inside the bounds.
FittedModel maximise_likelihood(const FitSettings& settings, std::span<const MeasuredPeriod> periods,
                                std::span<const std::vector<double>> starts);

/// All v for which 2 (l_max - l_profile(v)) <= (widening z)^2, z the two-sided normal quantile of `level` (Wilks 1938),
/// where l_profile(v) is the maximum with parameter `place` held at v.
struct ProfileInterval {
  double low = 0, high = 0;
  bool low_open = false, high_open = false;  ///< the end is the parameter's bound: the data do not close the interval
};

/// fitted: what maximise_likelihood() gave; replaced where the profile finds something better.
ProfileInterval profile_interval(const FitSettings& settings, std::span<const MeasuredPeriod> periods,
                                 FittedModel& fitted, Index place, double level, double widening = 1);

/// l_profile at one or more held parameters: the maximum over the other free ones, from `theta` on.
FittedModel maximise_others(FitSettings settings, std::span<const MeasuredPeriod> periods, std::vector<double> theta,
                            std::span<const Index> held);

}  // namespace fovea::opinion::fit
