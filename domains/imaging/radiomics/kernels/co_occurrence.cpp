#include <algorithm>
#include <cmath>

#include "fovea/domains/imaging/radiomics/kernels/groups.hpp"
#include "fovea/domains/imaging/radiomics/kernels/textures.hpp"

namespace fovea::imaging::radiomics {

namespace {

/// Counts of pairs of the levels that a group has.
struct PairCounts {
  std::vector<double> levels;        ///< ascending
  std::vector<std::int64_t> counts;  ///< (a, b): first and second voxel of a pair, one way
  double total = 0;                  ///< both ways
};

PairCounts pair_counts(const Region& region, const Group& group) {
  std::vector<std::int32_t> rank(static_cast<std::size_t>(region.levels) + 1, 0);
  for (const Index voxel : group.voxels)
    rank[static_cast<std::size_t>(region.level[static_cast<std::size_t>(voxel)])] = 1;
  PairCounts pairs;
  for (std::size_t level = 0; level < rank.size(); ++level)
    if (rank[level] != 0) {
      rank[level] = static_cast<std::int32_t>(pairs.levels.size());
      pairs.levels.push_back(static_cast<double>(level));
    }
  const std::size_t width = pairs.levels.size();
  pairs.counts.assign(width * width, 0);
  std::int64_t found = 0;
  for (const Index step : group.directions)
    for (const Index voxel : group.voxels) {
      const std::int32_t here = region.level[static_cast<std::size_t>(voxel)];
      const std::int32_t there = region.level[static_cast<std::size_t>(voxel + step)];
      if (there == 0) continue;
      ++pairs.counts[static_cast<std::size_t>(rank[static_cast<std::size_t>(here)]) * width +
                     static_cast<std::size_t>(rank[static_cast<std::size_t>(there)])];
      ++found;
    }
  pairs.total = 2 * static_cast<double>(found);
  return pairs;
}

/// A distribution over 0, 1, 2, ...
struct Distribution {
  std::vector<double> p;

  template <typename Value>
  double sum(const Value& value) const {
    double all = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      if (p[k] > 0) all += p[k] * value(static_cast<double>(k));
    return all;
  }
  double mean() const {
    return sum([](double k) { return k; });
  }
  double moment(double about, int power) const {
    return sum([&](double k) { return std::pow(k - about, power); });
  }
  double entropy() const {
    double all = 0;
    for (const double share : p)
      if (share > 0) all -= share * std::log2(share);
    return all;
  }
};

struct PairShares {
  double largest = 0, entropy = 0, energy = 0;
  Distribution level, difference, sum;
};

PairShares pair_shares(const PairCounts& pairs) {
  const std::size_t width = pairs.levels.size(), most = static_cast<std::size_t>(pairs.levels.back());
  PairShares shares;
  shares.level.p.assign(most + 1, 0.0);
  shares.difference.p.assign(most + 1, 0.0);
  shares.sum.p.assign(2 * most + 1, 0.0);
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < width; ++b) {
      const std::int64_t count = pairs.counts[a * width + b] + pairs.counts[b * width + a];
      if (count == 0) continue;
      const double p = static_cast<double>(count) / pairs.total;
      shares.largest = std::max(shares.largest, p);
      shares.entropy -= p * std::log2(p);
      shares.energy += p * p;
      shares.level.p[static_cast<std::size_t>(pairs.levels[a])] += p;
      shares.difference.p[static_cast<std::size_t>(std::abs(pairs.levels[a] - pairs.levels[b]))] += p;
      shares.sum.p[static_cast<std::size_t>(pairs.levels[a] + pairs.levels[b])] += p;
    }
  return shares;
}

std::optional<std::vector<double>> pair_features(const Region& region, const Group& group) {
  const PairCounts pairs = pair_counts(region, group);
  if (pairs.total == 0) return std::nullopt;
  const PairShares s = pair_shares(pairs);
  const double range = static_cast<double>(region.levels), mean = s.level.mean(), variance = s.level.moment(mean, 2);
  const double contrast = s.difference.moment(0, 2), difference = s.difference.mean(), sum = s.sum.mean();
  const double product = (s.sum.moment(0, 2) - contrast) / 4;  // i j = ((i + j)^2 - (i - j)^2) / 4
  const double tendency = s.sum.moment(2 * mean, 2);
  const double entropy = s.level.entropy();
  const bool alone = pairs.levels.size() == 1 || variance == 0;
  return std::vector<double>{s.largest,
                             mean,
                             variance,
                             s.entropy,
                             difference,
                             s.difference.moment(difference, 2),
                             s.difference.entropy(),
                             sum,
                             s.sum.moment(sum, 2),
                             s.sum.entropy(),
                             s.energy,
                             contrast,
                             difference,
                             s.difference.sum([](double k) { return 1 / (1 + k); }),
                             s.difference.sum([&](double k) { return 1 / (1 + k / range); }),
                             s.difference.sum([](double k) { return 1 / (1 + k * k); }),
                             s.difference.sum([&](double k) { return 1 / (1 + k * k / (range * range)); }),
                             s.difference.sum([](double k) { return k > 0 ? 1 / (k * k) : 0; }),
                             alone ? 1 : (product - mean * mean) / variance,
                             product,
                             tendency,
                             s.sum.moment(2 * mean, 3),
                             s.sum.moment(2 * mean, 4),
                             alone ? 0 : (s.entropy - 2 * entropy) / entropy,
                             alone ? 0 : std::sqrt(std::max(0.0, 1 - std::exp(-2 * (2 * entropy - s.entropy))))};
}

}  // namespace

std::vector<double> co_occurrence(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 25, &pair_features);
}

}  // namespace fovea::imaging::radiomics
