#include "fovea/domains/mechanism/tasks/softmax_theory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/mechanism/pooled.hpp"

namespace fovea::mechanism::tasks {

double entropy_of_unit_scores(Index keys) {
  require(keys >= 1, "entropy_of_unit_scores: keys = ", keys, ", but must be at least 1.");
  const double count = static_cast<double>(keys);
  return logarithm(count) - 0.5 + (exponential(1.0) + 1) / (2 * count);
}

double frozen_parameter(Index keys, double sigma) {
  require(keys >= 2 && sigma > 0, "frozen_parameter: keys = ", keys, ", sigma = ", sigma,
          "; there must be at least 2 keys and a sigma > 0.");
  constexpr double kRootTwoPi = 2.50662827463100050242;
  const double count = static_cast<double>(keys), place = normal_quantile(1 / count);
  return count * exponential(-0.5 * place * place) / kRootTwoPi / sigma;
}

double frozen_entropy(double m) {
  require(m >= 0 && m < 1, "frozen_entropy: m = ", m,
          ", but must be in [0, 1); from 1 on the weights are spread over many keys.");
  constexpr int kTerms = 10000;
  double sum = m / (kTerms + 0.5);  // of the terms left out
  for (int k = kTerms; k >= 1; --k) sum += m / (k * (k - m));
  return sum;
}

namespace {

constexpr double kMedianOfAbsolute = 0.67448975019608174;  // of a standard normal number

/// That the largest of M standard normal numbers is more than `gap` above the next; the trapezium rule is exact to
/// rounding for such a bell.
double chance_of_gap(Index keys, double gap) {
  constexpr double kRootTwoPi = 2.50662827463100050242, kLow = -6, kHigh = 12, kStep = 1.0 / 64;
  const double others = static_cast<double>(keys - 1);
  double sum = 0;
  for (double x = kLow; x <= kHigh; x += kStep) {
    const double below = normal_cdf(x - gap);
    if (below > 0) sum += exponential(others * logarithm(below) - 0.5 * x * x);
  }
  return static_cast<double>(keys) * sum * kStep / kRootTwoPi;
}

}  // namespace

double median_top_gap(Index keys) {
  require(keys >= 2, "median_top_gap: keys = ", keys, ", but must be at least 2.");
  double low = 0, high = 4;
  while (high - low > 1e-10) {
    const double middle = 0.5 * (low + high);
    (chance_of_gap(keys, middle) > 0.5 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double frozen_gradient_of_keys(Index keys, double sigma) {
  return 2 * kMedianOfAbsolute * exponential(-sigma * median_top_gap(keys));
}

double frozen_gradient(double m) { return 2 * kMedianOfAbsolute * exponential(-logarithm(2.0) / m); }

Sharpness sharpness(const Vector<double>& scores, const Vector<double>& values) {
  const double top = scores.maxCoeff();
  Vector<double> weights(scores.size());
  for (Index j = 0; j < scores.size(); ++j) weights[j] = exponential(scores[j] - top);
  const double sum = weights.sum();
  weights /= sum;
  const double output = weights.dot(values), score = weights.dot(scores);
  double squares = 0;
  for (Index j = 0; j < scores.size(); ++j) {
    const double slope = weights[j] * (values[j] - output);
    squares += slope * slope;
  }
  return {logarithm(sum) + top - score, std::sqrt(squares)};
}

Sharpness sharpness_of_normal_scores(double variance, Index keys, Index rows, const Random& random) {
  const Matrix<double> scores = normal_matrix(rows, keys, random.stream("scores")) * std::sqrt(variance);
  const Matrix<double> values = normal_matrix(rows, keys, random.stream("values"));
  std::vector<double> entropies, gradients;
  for (Index i = 0; i < rows; ++i) {
    const Sharpness one = sharpness(scores.row(i), values.row(i));
    entropies.push_back(one.entropy);
    gradients.push_back(one.gradient);
  }
  return {mean_with_error(entropies).mean, median(gradients)};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return sorted_quantile(values, 0.5);
}

}  // namespace fovea::mechanism::tasks
