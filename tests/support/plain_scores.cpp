// What the registered examples of score functions do to one pair.

#include <cmath>

#include "fovea/tests/support/plain_attention.hpp"

namespace fovea::test {
namespace {

/// The parameters of the examples: see example_parameters().
double parameter(Index k, double offset) { return offset + 0.06 * static_cast<double>((k * k + 3 * k) % 11) - 0.3; }

double general(const Row& q, const Row& k, Index head) {
  const Index d = q.size();
  double sum = 0;
  for (Index a = 0; a < d; ++a)
    for (Index b = 0; b < d; ++b) sum += q[a] * parameter(head * d * d + a * d + b, 0) * k[b];
  return sum;
}

double additive(const Row& q, const Row& k, Index head) {
  const Index d = q.size(), width = 5, first = head * (2 * d + 1) * width;
  double sum = 0;
  for (Index c = 0; c < width; ++c) {
    double x = 0;
    for (Index a = 0; a < d; ++a)
      x += q[a] * parameter(first + a * width + c, 0.1) + k[a] * parameter(first + (d + a) * width + c, 0.1);
    sum += parameter(first + 2 * d * width + c, 0.1) * std::tanh(x);
  }
  return sum;
}

double gaussian_widths(const Row& q, const Row& k, Index) {
  double sum = 0;
  for (Index c = 0; c < q.size(); ++c) sum += std::pow((q[c] - k[c]) / std::exp(parameter(c, 0)), 2);
  return -sum / 2;
}

}  // namespace

PlainScore plain_score(std::string_view name) {
  if (name == "dot_product")
    return [](const Row& q, const Row& k, Index) { return q.dot(k) / std::sqrt(static_cast<double>(q.size())); };
  if (name == "unscaled_dot_product") return [](const Row& q, const Row& k, Index) { return q.dot(k); };
  if (name == "cosine") return [](const Row& q, const Row& k, Index) { return q.dot(k) / (q.norm() * k.norm()); };
  if (name == "gaussian") return [](const Row& q, const Row& k, Index) { return -(q - k).squaredNorm() / 2; };
  if (name == "log_distance")
    return [](const Row& q, const Row& k, Index) { return -std::log(std::max((q - k).norm(), 0.01)); };
  if (name == "general") return general;
  if (name == "additive") return additive;
  if (name == "gaussian_widths") return gaussian_widths;
  return {};
}

}  // namespace fovea::test
