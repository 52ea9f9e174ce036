#pragma once
/// Draws of what is not the lag, for averages over its posterior: importance sampling with Laplace's approximation.

#include <Eigen/Core>
#include <vector>

#include "fovea/domains/lag/pair/model.hpp"

namespace fovea::lag::pair {

using NumbersMatrix = Eigen::Matrix<double, kWalkNumbers, kWalkNumbers>;

/// Minus the second derivatives of the log posterior of the numbers at a lag and a window, by central differences.
NumbersMatrix numbers_curvature(PairModel& model, double lag, const EchoWindow& window, const WalkNumbers& at);

/// Numbers x drawn from the normal distribution q about a centre, and log prior(x) - log q(x) up to a constant: the
/// average of any f(x) over the posterior is that of f L(x) with the weights prior / q.
struct NumbersDraw {
  WalkNumbers numbers;
  double log_weight;
};

/// q has the precision curvature + 1/4, or the diagonal's where that is not positive definite. Fixed draws in opposite
/// pairs; count is even.
std::vector<NumbersDraw> draw_numbers(const PairModel& model, const WalkNumbers& centre, const NumbersMatrix& curvature,
                                      int count);

}  // namespace fovea::lag::pair
