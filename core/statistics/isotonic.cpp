#include "fovea/core/statistics/isotonic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// Neighbours that share one value.
struct IsotonicBlock {
  double sum, weight;
  std::size_t count;
  double mean() const { return sum / weight; }
};

/// Examples of equal score as one.
struct PooledScores {
  std::vector<double> scores, means, weights;
};

PooledScores pooled(std::span<const double> scores, std::span<const double> outcomes) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  PooledScores pools;
  for (const std::size_t i : order) {
    if (pools.scores.empty() || pools.scores.back() != scores[i]) {
      pools.scores.push_back(scores[i]);
      pools.means.push_back(0);
      pools.weights.push_back(0);
    }
    pools.means.back() += outcomes[i];
    pools.weights.back() += 1;
  }
  for (std::size_t k = 0; k < pools.means.size(); ++k) pools.means[k] /= pools.weights[k];
  return pools;
}

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

IsotonicCalibration::IsotonicCalibration(std::span<const double> scores, std::span<const double> outcomes) {
  require(!scores.empty() && scores.size() == outcomes.size(), "isotonic calibration: there are ", scores.size(),
          " scores and ", outcomes.size(), " outcomes; as many are needed, and at least one.");
  for (const double score : scores)
    require(std::isfinite(score), "isotonic calibration: a score is ", score, ", but must be finite.");
  for (const double y : outcomes)
    require(y >= 0 && y <= 1, "isotonic calibration: an outcome is ", y, ", but must be in [0, 1].");
  const PooledScores pools = pooled(scores, outcomes);
  const std::vector<double> fit = isotonic_fit(pools.means, pools.weights);
  for (std::size_t k = 0; k < fit.size(); ++k) {
    const bool inside = k > 0 && k + 1 < fit.size() && fit[k - 1] == fit[k] && fit[k] == fit[k + 1];
    if (inside) continue;
    scores_.push_back(pools.scores[k]);
    values_.push_back(fit[k]);
  }
}

double IsotonicCalibration::operator()(double score) const {
  const auto above = std::lower_bound(scores_.begin(), scores_.end(), score);
  if (above == scores_.end()) return values_.back();
  const std::size_t k = above - scores_.begin();
  if (k == 0 || *above == score) return values_[k];
  const double share = (score - scores_[k - 1]) / (scores_[k] - scores_[k - 1]);
  return values_[k - 1] + share * (values_[k] - values_[k - 1]);
}

}  // namespace fovea
