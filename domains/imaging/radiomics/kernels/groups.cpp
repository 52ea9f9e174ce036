#include "fovea/domains/imaging/radiomics/kernels/groups.hpp"

#include "fovea/core/base/missing.hpp"

namespace fovea::imaging::radiomics {

namespace {

std::vector<std::span<const Index>> voxels_by_slice(const Region& region) {
  std::vector<std::span<const Index>> slices;
  const std::span<const Index> all = region.voxels;
  const Index area = region.size[0] * region.size[1];
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end] / area == all[begin] / area) ++end;
    slices.push_back(all.subspan(begin, end - begin));
  }
  return slices;
}

}  // namespace

std::vector<Index> neighbour_steps(const Region& region, bool flat) {
  std::vector<Index> steps;
  const auto [one, row, slice] = region.steps();
  for (Index z = flat ? 0 : -1; z <= (flat ? 0 : 1); ++z)
    for (Index y = -1; y <= 1; ++y)
      for (Index x = -1; x <= 1; ++x)
        if (x != 0 || y != 0 || z != 0) steps.push_back(z * slice + y * row + x * one);
  return steps;
}

std::vector<Group> groups(const Region& region, const Variant& variant) {
  const bool flat = variant.place != Variant::volume;
  std::vector<Index> directions = neighbour_steps(region, flat);
  directions.resize(directions.size() / 2);
  std::vector<Group> all;
  for (const std::span<const Index> voxels :
       variant.place == Variant::slice ? voxels_by_slice(region) : std::vector{std::span<const Index>(region.voxels)}) {
    if (!variant.averages) {
      all.push_back({voxels, flat, directions});
      continue;
    }
    for (const Index direction : directions) all.push_back({voxels, flat, {direction}});
  }
  return all;
}

std::vector<double> mean_over_groups(const Region& region, const Variant& variant, std::size_t count,
                                     MatrixFeatures features) {
  std::vector<double> sums(count, 0.0);
  double taken = 0;
  for (const Group& group : groups(region, variant))
    if (const std::optional<std::vector<double>> values = features(region, group)) {
      for (std::size_t k = 0; k < count; ++k) sums[k] += (*values)[k];
      ++taken;
    }
  for (double& sum : sums) sum = taken > 0 ? sum / taken : kNan;
  return sums;
}

}  // namespace fovea::imaging::radiomics
