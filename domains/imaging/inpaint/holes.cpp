#include "fovea/domains/imaging/inpaint/holes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace fovea::imaging::inpaint {

namespace {

constexpr Place kBlock{48, 48, 16};
constexpr Index kMargin = 4, kMostHoles = 64;
constexpr Index kFewestCuts = 12, kFewestCutVoxels = 1024, kMostCuts = 240;

/// Missing voxels that are at most two steps apart, by flooding from each.
std::vector<std::vector<Place>> components_of(const Picture& picture, Index slices) {
  std::vector<std::uint8_t> left = picture.missing;
  std::vector<std::vector<Place>> components;
  const Box all{{0, 0, 0}, picture.size};
  const Index across = slices == 0 ? 0 : 2;
  for (Index i = 0; i < picture.voxels(); ++i) {
    if (left[i] == 0) continue;
    left[i] = 0;
    std::vector<Place> component{all.place(i)};
    for (std::size_t k = 0; k < component.size(); ++k) {
      const Place p = component[k];
      for (Index dz = -across; dz <= across; ++dz)
        for (Index dy = -2; dy <= 2; ++dy)
          for (Index dx = -2; dx <= 2; ++dx) {
            const Place q{p[0] + dx, p[1] + dy, p[2] + dz};
            if (!all.holds(q) || left[picture.at(q)] == 0) continue;
            left[picture.at(q)] = 0;
            component.push_back(q);
          }
    }
    components.push_back(std::move(component));
  }
  return components;
}

bool in_order(const Place& a, const Place& b) { return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]}; }

Hole hole_of(std::vector<Place> voxels, bool part) {
  std::sort(voxels.begin(), voxels.end(), in_order);
  const Box box = box_of(voxels);
  return {std::move(voxels), box, part};
}

/// Voxels of a block; part: of a hole that goes on beside it.
struct BlockVoxels {
  std::vector<Place> voxels;
  bool part = false;
};

std::vector<Cut> cuts_of_shape(const Picture& picture, const std::vector<Place>& shape, Index most_voxels) {
  const Box box = box_of(shape), all{{0, 0, 0}, picture.size};
  Place step;
  for (std::size_t k = 0; k < 3; ++k) step[k] = std::max<Index>((box.size[k] + 1) / 2, 3);
  const double width = std::max(4.0, static_cast<double>(box.size[0] + box.size[1]) / 4);
  struct Shell {
    double distance;
    Place shift;
  };
  std::vector<Shell> within, across;
  const Index reach = shape.size() < 64 ? 8 : 2;
  for (Index c = -6; c <= 6; ++c)
    for (Index b = -reach; b <= reach; ++b)
      for (Index a = -reach; a <= reach; ++a) {
        if (a == 0 && b == 0 && c == 0) continue;
        const Index z = c == 0 ? 0 : c + (c > 0 ? box.size[2] : -box.size[2]);  // no slice of the hole
        const Place shift{a * step[0], b * step[1], z};
        const Place first{box.first[0] + shift[0], box.first[1] + shift[1], box.first[2] + z},
            last{first[0] + box.size[0] - 1, first[1] + box.size[1] - 1, first[2] + box.size[2] - 1};
        if (!all.holds(first) || !all.holds(last)) continue;
        const auto square = static_cast<double>(shift[0] * shift[0] + shift[1] * shift[1]);
        if (c == 0)
          within.push_back({square, shift});
        else
          across.push_back({square + std::pow(width * static_cast<double>(std::abs(c)), 2), shift});
      }
  std::vector<Cut> cuts;
  Index voxels = 0;
  for (std::vector<Shell>* shells : {&within, &across}) {
    std::stable_sort(shells->begin(), shells->end(),
                     [](const Shell& a, const Shell& b) { return a.distance < b.distance; });
    double last = -1;
    for (const auto& [distance, shift] : *shells) {
      const bool enough = std::ssize(cuts) >= kFewestCuts && voxels >= kFewestCutVoxels;
      if (distance > last + 1e-9 &&
          ((enough && shells == &across) || voxels >= most_voxels || std::ssize(cuts) >= kMostCuts))
        break;
      last = distance;
      Cut cut{{}, std::exp(-distance / (2 * width * width)), shift};
      for (const Place& p : shape) {
        const Place q{p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]};
        if (picture.missing[picture.at(q)] == 0) cut.voxels.push_back(q);
      }
      if (4 * cut.voxels.size() < shape.size()) continue;
      voxels += std::ssize(cut.voxels);
      cuts.push_back(std::move(cut));
    }
  }
  return cuts;
}

/// The voxels within so much of the middle of their box.
std::vector<Place> middle_of(const std::vector<Place>& voxels, const Place& size) {
  const Box box = box_of(voxels);
  std::vector<Place> middle;
  for (const Place& p : voxels) {
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k)
      within = within && std::abs(2 * (p[k] - box.first[k]) - box.size[k] + 1) < std::max<Index>(size[k], 1);
    if (within) middle.push_back(p);
  }
  return middle;
}

}  // namespace

Box around(const Picture& picture, const Box& box, const Place& margin) {
  Box wide;
  for (std::size_t k = 0; k < 3; ++k) {
    wide.first[k] = std::max<Index>(box.first[k] - margin[k], 0);
    wide.size[k] = std::min(box.first[k] + box.size[k] + margin[k], picture.size[k]) - wide.first[k];
  }
  return wide;
}

Box box_of(const std::vector<Place>& places) {
  Place low = places[0], high = places[0];
  for (const Place& p : places)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  return {low, {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1}};
}

std::vector<Hole> holes_of(const Picture& picture, Index slices) {
  std::vector<std::vector<Place>> components = components_of(picture, slices);
  const bool many = std::ssize(components) > kMostHoles;
  std::vector<Hole> holes;
  std::map<Place, BlockVoxels> blocks;
  for (std::vector<Place>& component : components) {
    const Box box = box_of(component);
    bool large = false;
    for (std::size_t k = 0; k < 3; ++k) large = large || box.size[k] > kBlock[k];
    if (!large && !many) {
      holes.push_back(hole_of(std::move(component), false));
      continue;
    }
    const Index depth = slices == 0 ? 1 : kBlock[2];
    for (const Place& p : component) {
      BlockVoxels& block = blocks[{p[2] / depth, p[1] / kBlock[1], p[0] / kBlock[0]}];
      block.voxels.push_back(p), block.part = block.part || large;
    }
  }
  for (auto& [place, block] : blocks) holes.push_back(hole_of(std::move(block.voxels), block.part));
  return holes;
}

std::vector<Cut> cuts_near(const Picture& picture, const Hole& hole, Index most_voxels) {
  std::vector<Cut> cuts;
  std::vector<Place> shape = hole.voxels;
  for (Place size = hole.box.size; cuts.size() < 4; shape = middle_of(shape, size)) {
    if (!shape.empty() && std::ssize(shape) <= most_voxels) cuts = cuts_of_shape(picture, shape, most_voxels);
    if (size == Place{1, 1, 1} || shape.empty()) break;
    for (Index& one : size) one = std::max<Index>(one / 2, 1);
  }
  return cuts;
}

std::uint64_t mirrored_hash(const Place& place, const Box& box) {
  std::uint64_t hash = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto off = static_cast<std::uint64_t>(std::abs(2 * (place[k] - box.first[k]) - box.size[k] + 1));
    hash = (hash ^ (off + 1)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

Patch patch_around(const Picture& picture, const std::vector<Place>& voxels, Index slices,
                   const std::vector<double>& rough) {
  Patch patch{around(picture, box_of(voxels), {kMargin, kMargin, slices}), {}, {}};
  patch.values.assign(patch.box.voxels(), 0), patch.unknown.assign(patch.box.voxels(), 0);
  for (const Place& p : voxels) patch.unknown[patch.box.at(p)] = 2;
  for (Index i = 0; i < patch.box.voxels(); ++i) {
    const Place p = patch.box.place(i);
    const Index at = picture.at(p);
    bool rim = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const Index end = patch.box.first[k] + patch.box.size[k];
      rim = rim || (p[k] < patch.box.first[k] + 2 && patch.box.first[k] > 0) ||
            (p[k] >= end - 2 && end < picture.size[k]);
    }
    const bool given = picture.missing[at] != 0 && patch.unknown[i] == 0 && rim && !rough.empty();
    const bool unknown = (picture.missing[at] != 0 || patch.unknown[i] != 0) && !given;
    patch.unknown[i] = unknown ? 1 : 0;
    if (!unknown) patch.values[i] = given ? rough[at] : picture.values[at];
  }
  return patch;
}

std::vector<double> rough_values(const Picture& picture) {
  std::vector<double> rough(picture.values.size());
  for (std::size_t i = 0; i < rough.size(); ++i) rough[i] = picture.missing[i] != 0 ? 0 : picture.values[i];
  Picture coarse;
  bool whole = true;
  for (std::size_t k = 0; k < 3; ++k) {
    coarse.size[k] = (picture.size[k] + 1) / 2;
    whole = whole && picture.size[k] == 1;
  }
  if (whole || std::find(picture.missing.begin(), picture.missing.end(), 1) == picture.missing.end()) return rough;
  coarse.values.assign(coarse.voxels(), 0);
  std::vector<double> counts(coarse.values.size(), 0);
  const Box all{{0, 0, 0}, picture.size};
  const auto parent = [&](Index i) {
    const Place p = all.place(i);
    return coarse.at(p[0] / 2, p[1] / 2, p[2] / 2);
  };
  for (Index i = 0; i < picture.voxels(); ++i)
    if (picture.missing[i] == 0) coarse.values[parent(i)] += picture.values[i], counts[parent(i)] += 1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    coarse.missing.push_back(counts[i] == 0 ? 1 : 0);
    if (counts[i] > 0) coarse.values[i] /= counts[i];
  }
  const std::vector<double> above = rough_values(coarse);
  for (Index i = 0; i < picture.voxels(); ++i)
    if (picture.missing[i] != 0) rough[i] = above[parent(i)];
  return rough;
}

}  // namespace fovea::imaging::inpaint
