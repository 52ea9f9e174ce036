#include <algorithm>
#include <cmath>

#include "fovea/domains/imaging/radiomics/kernels/groups.hpp"
#include "fovea/domains/imaging/radiomics/kernels/textures.hpp"

namespace fovea::imaging::radiomics {

namespace {

/// Of one level: its voxels with neighbours, and the differences from their means.
struct Tone {
  double level = 0, voxels = 0, differences = 0;
};

/// The levels that occur, ascending.
std::vector<Tone> tones_of(const Region& region, const Group& group) {
  const std::vector<Index> steps = neighbour_steps(region, group.flat);
  std::vector<Tone> tones(static_cast<std::size_t>(region.levels));
  for (const Index voxel : group.voxels) {
    std::int64_t sum = 0, count = 0;
    for (const Index step : steps) {
      const std::int32_t level = region.level[static_cast<std::size_t>(voxel + step)];
      sum += level;
      count += level > 0 ? 1 : 0;
    }
    if (count == 0) continue;
    const double level = region.level[static_cast<std::size_t>(voxel)];
    Tone& tone = tones[static_cast<std::size_t>(level) - 1];
    tone.level = level;
    ++tone.voxels;
    tone.differences += std::abs(level - static_cast<double>(sum) / static_cast<double>(count));
  }
  std::erase_if(tones, [](const Tone& tone) { return tone.voxels == 0; });
  return tones;
}

std::optional<std::vector<double>> tone_features(const Region& region, const Group& group) {
  const std::vector<Tone> tones = tones_of(region, group);
  if (tones.empty()) return std::nullopt;
  double voxels = 0, differences = 0, coarse = 0, contrast = 0, busy = 0, complexity = 0, strength = 0;
  for (const Tone& tone : tones) {
    voxels += tone.voxels;
    differences += tone.differences;
  }
  for (const Tone& a : tones) {
    const double p = a.voxels / voxels;
    coarse += p * a.differences;
    for (const Tone& b : tones) {
      const double q = b.voxels / voxels, apart = a.level - b.level;
      contrast += p * q * apart * apart;
      busy += std::abs(a.level * p - b.level * q);
      complexity += std::abs(apart) * (p * a.differences + q * b.differences) / (p + q);
      strength += (p + q) * apart * apart;
    }
  }
  constexpr double kMostCoarse = 1e6;
  const double levels = static_cast<double>(tones.size());
  return std::vector<double>{coarse > 0 ? std::min(1 / coarse, kMostCoarse) : kMostCoarse,
                             levels > 1 ? contrast / (levels * (levels - 1)) * differences / voxels : 0,
                             busy > 0 ? coarse / busy : 0, complexity / voxels,
                             differences > 0 ? strength / differences : 0};
}

std::optional<std::vector<double>> dependence_features(const Region& region, const Group& group) {
  const std::vector<Index> steps = neighbour_steps(region, group.flat);
  LevelCounts counts(region.levels, static_cast<Index>(steps.size()) + 1);
  for (const Index voxel : group.voxels) {
    const std::int32_t level = region.level[static_cast<std::size_t>(voxel)];
    Index alike = 1;
    for (const Index step : steps) alike += region.level[static_cast<std::size_t>(voxel + step)] == level ? 1 : 0;
    counts.add(level, alike);
  }
  return counts.features(static_cast<double>(group.voxels.size()));
}

}  // namespace

std::vector<double> tone_difference(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 5, &tone_features);
}

std::vector<double> dependence(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 17, &dependence_features);
}

}  // namespace fovea::imaging::radiomics
