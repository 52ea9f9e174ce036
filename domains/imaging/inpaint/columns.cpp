#include "fovea/domains/imaging/inpaint/columns.hpp"

#include <algorithm>
#include <cmath>

namespace fovea::imaging::inpaint {

namespace {

constexpr double kPlaceUnit = 8, kDepthUnit = 3;  // voxels

/// Calls take(place) for the 3 x 3 voxels of a slice, at the rim the nearest ones.
template <typename Take>
void for_square(const Box& box, const Place& middle, Index slice, const Take& take) {
  Place p{0, 0, std::clamp(slice, box.first[2], box.first[2] + box.size[2] - 1)};
  for (Index dy = -1; dy <= 1; ++dy)
    for (Index dx = -1; dx <= 1; ++dx) {
      p[0] = std::clamp(middle[0] + dx, box.first[0], box.first[0] + box.size[0] - 1);
      p[1] = std::clamp(middle[1] + dy, box.first[1], box.first[1] + box.size[1] - 1);
      take(p);
    }
}

}  // namespace

std::vector<Index> column_groups(Index contexts) {
  std::vector<Index> groups;
  const auto add = [&](Index group, Index count) { groups.insert(groups.end(), count, group); };
  add(own_slice, 9), add(neighbour_slices, 18), add(between_guesses, kGuessCount), add(place, 3), add(depth, 1);
  add(level, 1);
  for (Index k = 0; k < contexts; ++k) add(first_context + k, 9);
  return groups;
}

Matrix<float> columns_of(const Picture& picture, const Patch& patch, const std::vector<Place>& voxels,
                         const Matrix<double>& guesses, const std::vector<Index>& depths) {
  const Index count = std::ssize(column_groups(std::ssize(picture.contexts)));
  Matrix<float> columns(std::ssize(voxels), count);
  const Box all{{0, 0, 0}, picture.size};
  for (std::size_t n = 0; n < voxels.size(); ++n) {
    const auto row = static_cast<Index>(n);
    const Place& p = voxels[n];
    const double middle = patch.values[patch.box.at(p)];
    Index c = 0;
    const auto put = [&](double value) { columns(row, c++) = static_cast<float>(value); };
    for (const Index dz : {0, -1, 1})
      for_square(patch.box, p, p[2] + dz, [&](const Place& q) { put(patch.values[patch.box.at(q)] - middle); });
    for (Index g = 0; g < kGuessCount; ++g) put(guesses(row, g) - middle);
    for (std::size_t k = 0; k < 3; ++k) put(static_cast<double>(p[k]) / kPlaceUnit);
    put(static_cast<double>(depths[patch.box.at(p)]) / kDepthUnit);
    put(middle);
    for (const std::vector<double>& context : picture.contexts)
      for_square(all, p, p[2], [&](const Place& q) {
        const double value = context[picture.at(q)];
        put(std::isfinite(value) ? value : 0);
      });
  }
  return columns;
}

std::vector<double> column_scales(const Matrix<float>& columns, const std::vector<Index>& groups) {
  const Index count = 1 + *std::max_element(groups.begin(), groups.end());
  std::vector<double> squares(count, 0), scales(groups.size(), 1);
  for (Index c = 0; c < columns.cols(); ++c) {
    const auto column = columns.col(c).cast<double>();
    const double mean = groups[c] == level || groups[c] >= first_context ? column.mean() : 0;
    squares[groups[c]] += (column.array() - mean).square().mean();
  }
  for (std::size_t c = 0; c < groups.size(); ++c)
    if (groups[c] != place && groups[c] != depth)
      scales[c] = squares[groups[c]] > 1e-24 ? 1 / std::sqrt(squares[groups[c]]) : 0;
  return scales;
}

}  // namespace fovea::imaging::inpaint
