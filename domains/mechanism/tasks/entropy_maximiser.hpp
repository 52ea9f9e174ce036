#pragma once
/// The weights of largest entropy among all with a given mean score, found without a softmax: for the experiment
/// "mechanism.maximum_entropy".

#include "fovea/core/base/matrix.hpp"

namespace fovea::mechanism::tasks {

struct EntropyMaximum {
  Vector<double> weights;
  double multiplier = 0;  ///< beta of the mean score: dH / d(mean score) = -beta at the maximum
  double residual = 0;    ///< largest violation of a constraint or of stationarity, relative to its terms
  int steps = 0;          ///< Newton steps taken
};

/// Maximises H(w) = -sum_j w_j ln w_j over w > 0 with sum_j w_j = 1 and sum_j w_j s_j = mean_score, by Newton's method
/// with equality constraints (Boyd and Vandenberghe 2004, section 10.3) in the weights themselves, from equal weights:
///   [diag(1/w)  A'] [dw]   [-ln w - 1 - A' nu]
///   [A          0 ] [dnu] = [b - A w]          with the rows 1 and s of A.
/// A step goes at most 0.95 of the way to the border of w > 0. The exponential function is never used.
/// Throws ArgumentError unless mean_score lies strictly between the least and the largest score, and
/// std::runtime_error after 500 steps.
EntropyMaximum maximise_entropy(const Vector<double>& scores, double mean_score);

/// H(w) in nats; a weight of 0 adds 0.
double entropy_of(const Vector<double>& weights);

/// Other weights with the same sum and mean score: from w > 0, a share in (0, 1) of the way to the border along
/// w_j (z_j - a - b s_j), z the direction, with the a and b that leave sum and mean score as they are.
Vector<double> same_mean(const Vector<double>& weights, const Vector<double>& scores, const Vector<double>& direction,
                         double share);

}  // namespace fovea::mechanism::tasks
