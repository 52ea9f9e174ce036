#pragma once
/// A series that stands in one of two states, each with its mean (Hamilton 1989, without autoregression):
///
///   x_t = mean of S_t + e_t,   e_t ~ N(0, variance),   P(S_(t+1) = S_t) = stay of S_t

#include <array>
#include <span>
#include <vector>

namespace fovea {

/// State 0 is the lower one.
struct TwoStates {
  std::array<double, 2> mean{}, stay{}, begin{};  ///< begin: probabilities of the first S
  double variance = 1;
  double log_likelihood = 0;  ///< of the series it was fitted to
};

/// By expectation and maximisation (Baum et al. 1970; Kim 1994's smoother) from a fixed start: the local maximum that
/// it leads to. A NaN is a month without a value. At least three different values; throws ArgumentError.
TwoStates fit_two_states(std::span<const double> series);

/// P(S_t = 0 | x_1 .. x_t).
std::vector<double> filtered_low_state(const TwoStates& states, std::span<const double> series);

}  // namespace fovea
