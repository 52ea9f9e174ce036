#include "fovea/domains/mechanism/tasks/entropy_maximiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::mechanism::tasks {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Vector<double> logarithms_of(const Vector<double>& weights) {
  return weights.unaryExpr([](double weight) { return logarithm(weight); });
}

/// The largest t with w + t step >= 0.
double way_to_border(const Vector<double>& weights, const Vector<double>& step) {
  double way = kInfinite;
  for (Index j = 0; j < weights.size(); ++j)
    if (step[j] < 0) way = std::min(way, -weights[j] / step[j]);
  return way;
}

}  // namespace

EntropyMaximum maximise_entropy(const Vector<double>& scores, double mean_score) {
  require(scores.size() >= 2 && mean_score > scores.minCoeff() && mean_score < scores.maxCoeff(),
          "maximise_entropy: the mean score ", mean_score, " must lie between the least and the largest score.");
  constexpr int kMostSteps = 500;
  constexpr double kToBorder = 0.95, kSmallStep = 1e-13;  // relative to each weight: near what rounding allows
  const double centre = scores.mean();                    // about which the scores are small, and A well conditioned
  const Vector<double> s = scores.array() - centre;
  EntropyMaximum found;
  found.weights = Vector<double>::Constant(s.size(), 1.0 / static_cast<double>(s.size()));
  for (found.steps = 1; found.steps <= kMostSteps; ++found.steps) {
    Vector<double>& w = found.weights;
    // Eliminating dw leaves two equations for the new multipliers (nu_0, nu_1).
    const Vector<double> slope = logarithms_of(w).array() + 1;
    const double ws = w.dot(s), wss = (w.array() * s.array().square()).sum();
    const double left0 = w.sum() - 1 - w.dot(slope);
    const double left1 = ws - (mean_score - centre) - (w.array() * slope.array() * s.array()).sum();
    const double determinant = w.sum() * wss - ws * ws;
    const double nu0 = (left0 * wss - left1 * ws) / determinant, nu1 = (w.sum() * left1 - ws * left0) / determinant;
    const Vector<double> relative = -(slope.array() + nu0 + nu1 * s.array());  // dw / w
    const Vector<double> step = w.array() * relative.array();
    const double length = std::min(1.0, kToBorder * way_to_border(w, step));
    found.multiplier = -nu1;
    found.residual =
        std::max({relative.cwiseAbs().maxCoeff(), std::abs(w.sum() - 1), std::abs(ws - (mean_score - centre))});
    w += length * step;
    if (length == 1.0 && relative.cwiseAbs().maxCoeff() < kSmallStep * static_cast<double>(s.size())) return found;
  }
  throw std::runtime_error(concat("maximise_entropy: no convergence after ", kMostSteps,
                                  " Newton steps; the last one still ", "changed a weight by ", found.residual,
                                  " of itself."));
}

double entropy_of(const Vector<double>& weights) {
  double sum = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights[j] > 0) sum -= weights[j] * logarithm(weights[j]);
  return sum;
}

Vector<double> same_mean(const Vector<double>& weights, const Vector<double>& scores, const Vector<double>& direction,
                         double share) {
  // dw = w (z - a - b s): a line fitted to z under the weights leaves a rest whose two moments are 0
  const double sum = weights.sum(), mean_s = weights.dot(scores) / sum, mean_z = weights.dot(direction) / sum;
  const Vector<double> s = scores.array() - mean_s, z = direction.array() - mean_z;
  const double slope = (weights.array() * s.array() * z.array()).sum() / (weights.array() * s.array().square()).sum();
  const Vector<double> step = weights.array() * (z - slope * s).array();
  return weights + share * way_to_border(weights, step) * step;
}

}  // namespace fovea::mechanism::tasks
