#pragma once
/// The interval of a parameter from its profile likelihood.

#include <functional>

namespace fovea {

/// Where an interval ends, and whether it does: at a limit of the search the likelihood has not yet fallen enough, so
/// the data do not bound the parameter there.
struct ProfileInterval {
  double low = 0, high = 0;
  bool low_open = false, high_open = false;  ///< then low or high is the limit
  int evaluations = 0;
};

/// { x : 2 (loss(x) - loss(estimate)) <= q }, q the quantile of chi squared with one degree of freedom at `level`
/// (Wilks 1938; Venzon & Moolgavkar 1988): unlike an interval from a standard error it need not be symmetric, and says
/// so where a parameter is not identified on one side.
/// loss      minus the log-likelihood, in nats, at a value of the parameter, minimised over all others. It is asked
/// from
///           the estimate outwards, so each call may start from the last one's minimum.
/// estimate  where the loss is least;  lowest < estimate < highest: the search ends there
/// step      > 0: a first guess of the distance to an end, such as a standard error
/// level     in (0, 1);  tolerance > 0: of the ends, in the unit of the parameter
/// On each side the ends are bracketed by doubling steps, then halved and cut by secants of sqrt(2 (loss - least)),
/// which is a straight line where the likelihood is normal. NaN and infinite losses count as beyond the end. Throws
/// ArgumentError; also where the loss at the estimate is not finite.
ProfileInterval profile_interval(const std::function<double(double)>& loss, double estimate, double lowest,
                                 double highest, double step, double level, double tolerance);

}  // namespace fovea
