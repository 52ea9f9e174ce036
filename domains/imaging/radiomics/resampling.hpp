#pragma once
/// Images and masks on another grid whose centre is that of the old one (manual, 2.4).

#include <array>
#include <vector>

#include "fovea/domains/imaging/radiomics/settings.hpp"

namespace fovea::imaging::radiomics {

/// Numbers on a grid, [z, y, x].
struct Field {
  std::array<Index, 3> size{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
  std::vector<double> values;
};

/// Along an axis: where new voxels lie among the old ones. n voxels at distance s become ceil(n s / s'), and both grids
/// have the same centre: x_i = (i - (n' - 1) / 2) s' / s + (n - 1) / 2.
struct AxisPlan {
  Index old_count = 0, new_count = 0;
  double old_spacing = 1, new_spacing = 1;

  AxisPlan(Index count, double spacing, double wanted);  ///< wanted 0: as it is
  double position(Index i) const;
};

/// The part of a field that lies at least `margin` mm around the mask (and some voxels, for the splines), and where it
/// begins.
struct Cut {
  Field intensity, inside;
  std::array<Index, 3> start{0, 0, 0}, full{0, 0, 0};  ///< in voxels; the size of the whole
};
Cut cut_around(const Field& intensity, const std::vector<std::uint8_t>& inside, double margin);

/// The new grid's voxels within a cut. Positions outside of the image take its nearest voxel's value. Cubic: B-splines
/// through all voxels (Unser 1999), mirrored at the borders.
Field resampled(const Field& cut, const std::array<AxisPlan, 3>& plans, const std::array<Index, 3>& start,
                Interpolation how);

}  // namespace fovea::imaging::radiomics
