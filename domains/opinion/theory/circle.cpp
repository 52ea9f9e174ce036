#include "fovea/domains/opinion/theory/circle.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::theory {

namespace {

void require_beta(const char* who, double beta) { require(beta > 0, who, ": beta = ", beta, ", but must be > 0."); }

/// I_k / I_0 as a product of ratios, which never overflows.
double mode_weight(int mode, double beta) {
  double product = 1;
  for (int k = 0; k < mode; ++k) product *= bessel_ratio(k, beta);
  return product;
}

}  // namespace

double circle_growth(int mode, double beta, CircleWeights weights) {
  require_beta("circle_growth", beta);
  require(mode >= 1, "circle_growth: mode = ", mode, ", but must be >= 1.");
  const double strength = weights == CircleWeights::softmax ? mode_weight(mode, beta) : bessel_i(mode, beta);
  return mode * static_cast<double>(mode) * strength / beta;
}

int fastest_circle_mode(double beta) {
  int fastest = 1;
  const int farthest = static_cast<int>(3 * std::sqrt(beta)) + 4;  // the peak is at sqrt(2 beta)
  for (int k = 2; k <= farthest; ++k)
    if (circle_growth(k, beta, CircleWeights::softmax) > circle_growth(fastest, beta, CircleWeights::softmax))
      fastest = k;
  return fastest;
}

double critical_noise(double beta, CircleWeights weights, double time_step) {
  require(time_step >= 0, "critical_noise: time_step = ", time_step, ", but must be >= 0.");
  const double growth = circle_growth(1, beta, weights);
  return time_step > 0 ? std::log1p(growth * time_step) / time_step : growth;
}

double tricritical_beta(int dimension) {
  require(dimension >= 2, "tricritical_beta: dimension = ", dimension, ", but must be >= 2.");
  double low = 0, high = 4;  // the ratio rises with beta; at 4 it is above 1/2 on the circle, and 1/d elsewhere
  for (double middle = 2; low < middle && middle < high; middle = 0.5 * (low + high))
    (bessel_ratio(0.5 * dimension, middle) < 1.0 / dimension ? low : high) = middle;
  return 0.5 * (low + high);
}

double critical_binder(int components) {
  require(components == 1 || components == 2, "critical_binder: components = ", components, ", but must be 1 or 2.");
  if (components == 2) return 1 - std::numbers::pi / 6;
  return 1 - std::pow(std::tgamma(0.25), 4) / (24 * std::numbers::pi * std::numbers::pi);
}

double orthonormal_cosine(int tokens, double beta, double time) {
  require(tokens >= 2 && beta >= 0 && time >= 0, "orthonormal_cosine: tokens = ", tokens, ", beta = ", beta,
          ", time = ", time, ", but tokens must be >= 2 and the others >= 0.");
  const double others = tokens - 1;
  const auto slope = [&](double g) {
    const double weight = std::exp(beta * (g - 1));
    return 2 * weight * (1 - g) * (others * g + 1) / (1 + others * weight);
  };
  constexpr int kSteps = 20000;
  const double h = time / kSteps;
  double g = 0;
  for (int step = 0; step < kSteps; ++step) {
    const double k1 = slope(g), k2 = slope(g + 0.5 * h * k1), k3 = slope(g + 0.5 * h * k2), k4 = slope(g + h * k3);
    g += h / 6 * (k1 + 2 * (k2 + k3) + k4);
  }
  return g;
}

double bessel_i(double order, double x) {
  require(order >= 0 && x >= 0 && x <= 700, "bessel_i: order = ", order, " and x = ", x,
          ", but order must be >= 0 and x in [0, 700].");
  if (x == 0) return order == 0 ? 1 : 0;
  const double quarter = 0.25 * x * x;
  double term = std::exp(order * std::log(0.5 * x) - std::lgamma(order + 1)), sum = 0;
  for (int k = 1; term > 1e-18 * sum || k < 0.5 * x; ++k) {  // terms rise until k ~ x / 2
    sum += term;
    term *= quarter / (k * (k + order));
  }
  return sum;
}

double bessel_ratio(double order, double x) {
  require(order >= 0 && x >= 0, "bessel_ratio: order = ", order, " and x = ", x, ", but both must be >= 0.");
  if (x == 0) return 0;
  // from far behind, where the ratio is about x / 2n: each step back shrinks the error of that guess
  double ratio = 0;
  for (int n = static_cast<int>(2 * x) + 60; n >= 1; --n) ratio = 1 / (2 * (order + n) / x + ratio);
  return ratio;
}

}  // namespace fovea::opinion::theory
