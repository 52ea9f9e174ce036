#include "fovea/core/statistics/isotonic.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// Neighbours that share one value.
struct IsotonicBlock {
  double sum, weight;
  std::size_t count;
  double mean() const { return sum / weight; }
};

}  // namespace

std::vector<double> isotonic_fit(std::span<const double> values, std::span<const double> weights) {
  require(weights.empty() || weights.size() == values.size(), "isotonic_fit: there are ", values.size(), " values but ",
          weights.size(), " weights; each needs one, or none has.");
  std::vector<IsotonicBlock> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    require(std::isfinite(values[i]) && weight > 0 && std::isfinite(weight), "isotonic_fit: value ", values[i],
            " with weight ", weight, "; values must be finite and weights > 0.");
    blocks.push_back({values[i] * weight, weight, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const IsotonicBlock last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> fit;
  for (const IsotonicBlock& block : blocks) fit.insert(fit.end(), block.count, block.mean());
  return fit;
}

}  // namespace fovea
