#include <algorithm>

#include "fovea/domains/imaging/radiomics/kernels/groups.hpp"
#include "fovea/domains/imaging/radiomics/kernels/textures.hpp"

namespace fovea::imaging::radiomics {

namespace {

std::optional<std::vector<double>> run_features(const Region& region, const Group& group) {
  LevelCounts counts(region.levels, *std::max_element(region.size.begin(), region.size.end()));
  for (const Index step : group.directions)
    for (const Index voxel : group.voxels) {
      const std::int32_t level = region.level[static_cast<std::size_t>(voxel)];
      if (region.level[static_cast<std::size_t>(voxel - step)] == level) continue;  // the run began before
      Index length = 1;
      while (region.level[static_cast<std::size_t>(voxel + length * step)] == level) ++length;
      counts.add(level, length);
    }
  return counts.features(static_cast<double>(group.voxels.size() * group.directions.size()));
}

/// The part of the box that neighbours of a group's voxels lie in.
struct Reach {
  Index begin = 0, end = 0;

  Reach(const Region& region, const Group& group) {
    const Index area = region.size[0] * region.size[1], margin = group.flat ? 0 : 1;
    begin = (group.voxels.front() / area - margin) * area;
    end = (group.voxels.back() / area + 1 + margin) * area;
  }
  std::size_t operator()(Index voxel) const { return static_cast<std::size_t>(voxel - begin); }
  std::size_t count() const { return static_cast<std::size_t>(end - begin); }
};

/// The distance of every voxel of the morphological mask from its edge (textures.hpp), by layers from the edge inwards.
std::vector<Index> edge_distances(const Region& region, const Reach& reach, bool flat) {
  std::vector<Index> distance(reach.count(), 0), layer, next;
  const std::array<Index, 3> steps = region.steps();
  const std::size_t axes = flat ? 2 : 3;
  const auto in_shape = [&](Index voxel) { return region.shape[static_cast<std::size_t>(voxel)] != 0; };
  const auto for_neighbours = [&](Index voxel, const auto& call) {
    for (std::size_t axis = 0; axis < axes; ++axis)
      for (const Index step : {-steps[axis], steps[axis]}) call(voxel + step);
  };
  for (Index voxel = reach.begin; voxel < reach.end; ++voxel) {
    if (!in_shape(voxel)) continue;
    bool edge = false;
    for_neighbours(voxel, [&](Index other) { edge = edge || !in_shape(other); });
    if (!edge) continue;
    distance[reach(voxel)] = 1;
    layer.push_back(voxel);
  }
  for (Index inwards = 2; !layer.empty(); ++inwards) {
    next.clear();
    for (const Index voxel : layer)
      for_neighbours(voxel, [&](Index other) {
        if (!in_shape(other) || distance[reach(other)] != 0) return;
        distance[reach(other)] = inwards;
        next.push_back(other);
      });
    layer.swap(next);
  }
  return distance;
}

struct Zones {
  std::vector<Index> level, size, distance;  ///< of each zone
};

/// distances: of every voxel within reach, or none.
Zones zones_of(const Region& region, const Group& group, const Reach& reach, const std::vector<Index>& distances) {
  const std::vector<Index> steps = neighbour_steps(region, group.flat);
  std::vector<std::uint8_t> seen(reach.count(), 0);
  std::vector<Index> open;
  Zones zones;
  for (const Index start : group.voxels) {
    if (seen[reach(start)] != 0) continue;
    const std::int32_t level = region.level[static_cast<std::size_t>(start)];
    Index size = 0, distance = std::numeric_limits<Index>::max();
    seen[reach(start)] = 1;
    open.assign(1, start);
    while (!open.empty()) {
      const Index voxel = open.back();
      open.pop_back();
      ++size;
      if (!distances.empty()) distance = std::min(distance, distances[reach(voxel)]);
      for (const Index step : steps) {
        const Index other = voxel + step;
        if (region.level[static_cast<std::size_t>(other)] != level || seen[reach(other)] != 0) continue;
        seen[reach(other)] = 1;
        open.push_back(other);
      }
    }
    zones.level.push_back(level);
    zones.size.push_back(size);
    zones.distance.push_back(distance);
  }
  return zones;
}

std::optional<std::vector<double>> size_features(const Region& region, const Group& group) {
  const Zones zones = zones_of(region, group, Reach(region, group), {});
  return level_counts_of(zones.level, zones.size, region.levels).features(static_cast<double>(group.voxels.size()));
}

std::optional<std::vector<double>> distance_features(const Region& region, const Group& group) {
  const Reach reach(region, group);
  const Zones zones = zones_of(region, group, reach, edge_distances(region, reach, group.flat));
  return level_counts_of(zones.level, zones.distance, region.levels).features(static_cast<double>(group.voxels.size()));
}

}  // namespace

std::vector<double> run_length(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 16, &run_features);
}

std::vector<double> size_zone(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 16, &size_features);
}

std::vector<double> distance_zone(const Region& region, const Variant& variant) {
  return mean_over_groups(region, variant, 16, &distance_features);
}

}  // namespace fovea::imaging::radiomics
