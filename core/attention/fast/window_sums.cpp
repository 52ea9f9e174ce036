#include "fovea/core/attention/fast/window_sums.hpp"

#include <cmath>

namespace fovea {

struct WindowSums::Workspace {};

WindowSums::WindowSums() = default;
WindowSums::~WindowSums() = default;
WindowSums::WindowSums(WindowSums&&) noexcept = default;
WindowSums& WindowSums::operator=(WindowSums&&) noexcept = default;

void WindowSums::means(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                       std::span<const double> strengths, std::span<const double> bounds, std::span<double> outputs) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    long double w = 0, s = 0;
    for (std::size_t j = 0; j < keys.size(); ++j)
      if (std::abs(keys[j] - queries[i]) <= bounds[bounds.size() == 1 ? 0 : i]) {
        const long double g = strengths.empty() ? 1 : strengths[j];
        w += g;
        s += g * values[j];
      }
    outputs[i] = w > 0 ? static_cast<double>(s / w) : 0;
  }
}

}  // namespace fovea
