#pragma once
/// What is known beforehand about the softmax of M normal scores: for the experiment "mechanism.scaling".
///
/// With s_j = sigma z_j, z standard normal, the weights are those of Derrida's random energy model (1981) at
/// temperature 1 / sigma. It freezes at sigma = sqrt(2 ln M): below, all keys share the attention; above, the few
/// largest take it.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::mechanism::tasks {

/// Mean entropy in nats of the softmax of M scores of variance 1:  ln M - 1/2 + (e + 1) / (2 M) + O(1 / M^2).
/// ln M + 1/2 - (e - 1) / (2 M) is the mean log-sum-exp, 1 - e / M the mean score under the weights. M >= 1.
double entropy_of_unit_scores(Index keys);

/// m = h / sigma, where h = M phi(z) is the rate at which the largest of M standard normal numbers thins out, at its
/// typical place Phi(-z) = 1 / M. The gaps to the next scores are then those of a Poisson process of rate m, and the
/// weights a Poisson-Dirichlet sequence with parameter m in (0, 1), in the frozen phase. M >= 2, sigma > 0.
double frozen_parameter(Index keys, double sigma);

/// Mean entropy of a Poisson-Dirichlet sequence (m, 0): psi(1) - psi(1 - m) = sum_k m / (k (k - m)) (Pitman and Yor
/// 1997). m in [0, 1).
double frozen_entropy(double m);

/// Median norm of dL/ds = w_j (v_j - sum_k w_k v_k), v standard normal, where two keys share nearly all: the gap of the
/// two largest scores is exponential with rate m, so the second weight is exp(-ln 2 / m) in the median, and the norm
/// sqrt(2) exp(-gap) |v_1 - v_2|; of |v_1 - v_2| the median is taken. Right up to a factor of order 1.
double frozen_gradient(double m);

/// The median of the gap between the two largest of M standard normal numbers: P(gap > g) = M int phi(x) Phi(x -
/// g)^(M-1) dx = 1/2, to 1e-9. For finitely many keys it is wider than the limit ln 2 / h (by 1.4 % for 256). M >= 2.
double median_top_gap(Index keys);

/// frozen_gradient() with the gap that M keys have: 2 median|v| exp(-sigma gap). sigma > 0.
double frozen_gradient_of_keys(Index keys, double sigma);

/// Entropy of softmax(s) and the norm of dL/ds for L = sum_j w_j v_j, by plain loops.
struct Sharpness {
  double entropy = 0;
  double gradient = 0;
};
Sharpness sharpness(const Vector<double>& scores, const Vector<double>& values);

/// Mean entropy and median gradient of `rows` rows of M independent normal scores of that variance.
Sharpness sharpness_of_normal_scores(double variance, Index keys, Index rows, const Random& random);

double median(std::vector<double> values);

}  // namespace fovea::mechanism::tasks
