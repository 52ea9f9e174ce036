#pragma once
/// A damped random walk seen twice: directly, and later through a top hat. The likelihood of two irregularly sampled
/// curves, exact, in O(n k^2) with k the number of top hats that overlap.
///
///   driver    x_i = s(t_i) + m_x + noise,                 Cov[s(t), s(t')] = sigma^2 exp(-|t - t'| / tau)
///   response  y_j = A / w  int_{lag - w/2}^{lag + w/2} s(t_j - u) du + m_y + noise
///
/// or, with a tail theta > 0, through an exponential of the same mean:
///
///   response  y_j = A / theta  int_0^inf exp(-u / theta) s(t_j - (lag - theta) - u) du + m_y + noise
///
/// Damped random walk (Ornstein-Uhlenbeck process) of light curves: Kelly, Bechtold & Siemiginowska 2009; with a top
/// hat: Zu, Kochanek & Peterson 2011, who factor the covariance in O(n^3). Here (s, int s) and a copy of the integral
/// for each top hat that is open are the state of a Kalman filter that walks once through all moments in order. Means,
/// and trends where asked for, have flat priors and are integrated out (Rybicki & Press 1992).

#include <memory>
#include <span>

namespace fovea {

/// Measurements of one thing: ascending times, values, variances of their errors (>= 0), as many of each.
struct Samples {
  std::span<const double> time, value, variance;
};

struct DelayedWalkParameters {
  double deviation = 1;        ///< sigma > 0: standard deviation of the walk
  double damping_time = 1;     ///< tau > 0, in the unit of time
  double scale = 1;            ///< A
  double lag = 0;              ///< from the driver to the mean of the window
  double width = 0;            ///< w >= 0 of the top hat
  double tail = 0;             ///< theta >= 0; > 0: an exponential in place of the top hat
  double driver_variance = 0;  ///< >= 0, added to that of each of the driver's errors
  double response_variance = 0;
};

/// Keeps its memory from call to call: one object for one thread. Refers to the samples, which must stay.
class DelayedWalk {
 public:
  /// trend: degree of the polynomial in time that each curve has of its own, 0 (a mean) or 1.
  /// One of them may be empty: then the likelihood is that of the other alone, of a response with its window, which
  /// the lag then does not change. Throws ArgumentError.
  DelayedWalk(Samples driver, Samples response, int trend = 0);
  ~DelayedWalk();
  DelayedWalk(DelayedWalk&&) noexcept;
  DelayedWalk& operator=(DelayedWalk&&) noexcept;

  /// The logarithm of the likelihood, means (and trends) integrated out. -infinity where the covariance is singular to
  /// rounding, as with two values at one moment without error.
  double log_likelihood(const DelayedWalkParameters& parameters);

 private:
  double exponential_likelihood(const DelayedWalkParameters& parameters) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea
