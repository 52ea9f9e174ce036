#pragma once
/// Two curves as one damped random walk and its delayed, smoothed echo: units, priors, and fits of what is not the lag.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "fovea/core/statistics/processes/delayed_walk.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::pair {

/// A curve of a pair in units of its own: mean 0, standard deviation 1 (both weighted by 1 / (error^2 + variance /
/// 10)).
struct ScaledCurve {
  std::vector<double> time, value;
  std::vector<double> variance;         ///< of the errors, as they are weighed: at first the stated ones
  std::vector<double> stated_variance;  ///< by the errors that came with the curve
  double mean = 0, deviation = 1;
  double typical_error = 0.1;  ///< median error; where errors are not known 1/10 of the standard deviation

  Samples samples() const { return {time, value, variance}; }
};

/// Throws ArgumentError for fewer than 4 points, for a constant curve, for times out of order.
ScaledCurve scaled_curve(const datasets::series::Curve& curve, double sign = 1);

/// Median distance of two moments, at least a twentieth of the mean one: points may come many at a time.
double typical_distance(const std::vector<double>& time);

/// What is not the lag, as logarithms: damping time, sigma, scale, and both curves' further error in units of the
/// typical one.
struct WalkNumbers {
  double log_time = 0, log_deviation = 0, log_scale = 0, log_driver_error = -2, log_response_error = -2;
};
inline constexpr std::size_t kWalkNumbers = 5;

/// What an echo is spread over: a top hat of this width, or an exponential where tail > 0.
struct EchoWindow {
  double width = 0, tail = 0;
};

/// The variance that a curve's further error adds to each point's.
double further_variance(const ScaledCurve& curve, double log_further_error);

class PairModel {
 public:
  /// The curves must stay. trend as in DelayedWalk.
  PairModel(const ScaledCurve& driver, const ScaledCurve& response, int trend);

  /// log likelihood of both curves together, without the prior of the numbers.
  double log_likelihood(double lag, const EchoWindow& window, const WalkNumbers& numbers);
  /// Wide normal priors on the logarithms; theory.md has them.
  double log_prior(const WalkNumbers& numbers) const;
  /// The numbers with the largest posterior at a lag and a window, searched for from a start.
  WalkNumbers fitted(double lag, const EchoWindow& window, const WalkNumbers& start, int evaluations);

  /// One curve as a walk of its own, the response smoothed by a top hat: numbers (scale unused; the further error is
  /// that of the driver) and the log of its likelihood.
  struct Alone {
    WalkNumbers numbers;
    double log_likelihood = 0;
  };
  Alone driver_alone();
  Alone response_alone(double width = 0);
  double driver_likelihood(const WalkNumbers& numbers);
  double response_likelihood(double width, const WalkNumbers& numbers);

 private:
  template <typename Likelihood>
  Alone alone(const Likelihood& likelihood) const;

  const ScaledCurve& driver_;
  const ScaledCurve& response_;
  double span_ = 1;
  DelayedWalk both_, driver_alone_, response_alone_;
};

}  // namespace fovea::lag::pair
