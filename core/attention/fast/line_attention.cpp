#include "fovea/core/attention/fast/line_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/engine/memory.hpp"
#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"

namespace fovea {
namespace {

constexpr double kLeastLog = -600;  // e_ij below e^-600 are all scaled up

}  // namespace

struct LineAttention::Workspace {
  AlignedVector<double> scores;
};

LineAttention::LineAttention() : workspace_(std::make_unique<Workspace>()) {}
LineAttention::~LineAttention() = default;
LineAttention::LineAttention(LineAttention&&) noexcept = default;
LineAttention& LineAttention::operator=(LineAttention&&) noexcept = default;

void LineAttention::gaussian_sums(std::span<const double> queries, std::span<const double> keys,
                                  std::span<const double> values, std::span<const double> strengths, double temperature,
                                  std::span<double> weight_sums, std::span<double> value_sums) {
  const Index count = static_cast<Index>(keys.size());
  double* scores = room(workspace_->scores, count);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    double top = -std::numeric_limits<double>::infinity(), w = 0, s = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double d = queries[i] - keys[j];
      scores[j] = std::max(-d / temperature * d / 2, -std::numeric_limits<double>::max());
      if (strengths.empty() || strengths[j] > 0) top = std::max(top, scores[j]);
    }
    const double shift = top < kLeastLog ? top - kLeastLog : 0;
    for (std::size_t j = 0; j < keys.size(); ++j) scores[j] = std::min(scores[j] - shift, 0.0);
    kernels<double>().exponentials(scores, count, 0, scores);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double e = scores[j] * (strengths.empty() ? 1 : strengths[j]);
      w += e;
      s += e * values[j];
    }
    weight_sums[i] = w;
    value_sums[i] = s;
  }
}

void LineAttention::dot_product(std::span<const double> queries, std::span<const double> keys,
                                std::span<const double> values, std::span<const double> strengths, double temperature,
                                std::span<double> outputs) {
  const Index count = static_cast<Index>(keys.size());
  double* scores = room(workspace_->scores, count);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    double top = -std::numeric_limits<double>::infinity(), w = 0, s = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      scores[j] = queries[i] * keys[j] / temperature;
      if (strengths.empty() || strengths[j] > 0) top = std::max(top, scores[j]);
    }
    for (std::size_t j = 0; j < keys.size(); ++j) scores[j] = std::min(scores[j] - top, 0.0);
    kernels<double>().exponentials(scores, count, 0, scores);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double e = scores[j] * (strengths.empty() ? 1 : strengths[j]);
      w += e;
      s += e * values[j];
    }
    outputs[i] = w > 0 ? s / w : 0;
  }
}

}  // namespace fovea
