#pragma once
/// What significant links do, in the series' own units: effects with intervals, intervals of lags, responses to an
/// impulse, and how well the links forecast.
///
/// For each target one regression (regression.hpp) on the lagged values of its significant causes, its own past (its
/// significant own lags and the shortest lag tested) and settings.conditions:
///
///   y(t) = c + sum_k a_k x_k(t - lag_k) + sum_l b_l y(t - l) + conditions(t) g + e(t)
///
/// Intervals hold 95 %: a_k +- t s_k with Newey & West's errors and Student's t. They presume that the links were known
/// beforehand; as these were chosen for being strong, weak ones are estimated too large ("winner's curse"). Links
/// without direction, products and effects on the variance have no effect of this kind and get NaN; so do all links of
/// a target with fewer than five rows a column.

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/lag/effects/regression.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::effects {

struct Estimate {
  double size = kNan, low = kNan, high = kNan;
};

struct LinkEffect {
  Estimate effect;  ///< of one unit of the cause on the target, all else of the regression held fixed
  Estimate total;   ///< the sum over the significant lags of the same cause; NaN where there is one only
  /// Steps, of the most significant link of a pair alone: between low and high lies the lag that is strongest in the
  /// regression in 95 % of draws (lag_interval.hpp).
  Estimate lag;
  /// Of "the cause's squared deviation, pulled in to 3, does nothing beside the regression".
  double bent_p = kNan;
  /// The response rises or falls on both sides of the cause's middle: bent_p < .01, and more certain than the effect.
  bool bent = false;
};

/// A target's regression, as the responses need it.
struct TargetModel {
  Index target = 0;
  std::vector<Regressor> regressors;  ///< that are not conditions
  std::vector<double> slope;          ///< in the series' units
  Matrix<double> covariance;          ///< of these
};

struct Effects {
  std::map<std::tuple<Index, Index, Index>, LinkEffect> links;  ///< by cause, effect, lag
  std::vector<TargetModel> models;                              ///< of targets with an estimate
  /// One a series: 1 - squared error with the causes / with the own past and the conditions alone, of forecasts one
  /// step ahead of the last 30 % of the rows by regressions on the first 70 %. NaN: no cause, or too few rows. The
  /// links themselves were found in all rows.
  std::vector<double> skill;
  Index longest_lag = 1;  ///< of a link with an effect
  const LinkEffect& of(const methods::Link& link) const;
};

/// links: the significant ones, by q. Deterministic; random is used for the intervals of lags.
Effects effects_of(const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
                   const std::vector<methods::Link>& links, const Random& random);

/// How the effect answers h = 0 .. horizon steps after one unit of the cause, on all ways through the lagged links:
/// psi(0) = 1 for the cause alone, psi(h) = sum_l A_l psi(h - l) (Luetkepohl 2005, eq. 2.1.22), A_l the regressions'
/// slopes. low and high: 1.96 standard deviations to either side, over draws of the slopes from their normal
/// distributions. Causes that move together within a step are not told apart.
struct Response {
  std::vector<double> mean, low, high;
};
std::vector<Response> responses_of(const Effects& effects, std::span<const methods::Link> pairs, Index horizon,
                                   const Random& random);

}  // namespace fovea::lag::effects
