#include "fovea/core/attention/fast/circle_attention.hpp"

#include <cmath>

namespace fovea {

struct CircleAttention::Workspace {};

CircleAttention::CircleAttention() = default;
CircleAttention::~CircleAttention() = default;
CircleAttention::CircleAttention(CircleAttention&&) noexcept = default;
CircleAttention& CircleAttention::operator=(CircleAttention&&) noexcept = default;

void CircleAttention::sums(std::span<const double> queries, std::span<const double> keys,
                           std::span<const double> strengths, double beta, std::span<double> weight_sums,
                           std::span<double> force_sums) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    double w = 0, f = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double d = keys[j] - queries[i], e = std::exp(beta * (std::cos(d) - 1));
      w += e * (strengths.empty() ? 1 : strengths[j]);
      f += e * (strengths.empty() ? 1 : strengths[j]) * std::sin(d);
    }
    weight_sums[i] = w;
    force_sums[i] = f;
  }
}

}  // namespace fovea
