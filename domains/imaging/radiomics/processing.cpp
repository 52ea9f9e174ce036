#include "fovea/domains/imaging/radiomics/processing.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/imaging/radiomics/resampling.hpp"

namespace fovea::imaging::radiomics {

namespace {

using datasets::images::Mask;
using datasets::images::Volume;

constexpr double kHalf = 0.5 - 1e-9, kHalfUp = 0.5 + 1e-9;  // weights of the interpolation are rounded
constexpr double kMostVoxels = 1e9;

/// Intensities and mask on the grid of the features.
struct Prepared {
  Field intensity;
  std::vector<std::uint8_t> inside;
};

Prepared resampled_pair(const Volume& image, const Mask& mask, const Settings& settings) {
  const datasets::images::Grid& grid = image.grid;
  Field whole{grid.size, grid.spacing, image.values};
  if (settings.spacing.empty()) return {std::move(whole), mask.inside};
  const auto plan = [&](std::size_t axis) {
    return AxisPlan(grid.size[axis], grid.spacing[axis], settings.spacing[axis]);
  };
  const std::array<AxisPlan, 3> plans{plan(0), plan(1), plan(2)};
  const double voxels = static_cast<double>(plans[0].new_count) * static_cast<double>(plans[1].new_count) *
                        static_cast<double>(plans[2].new_count);
  if (voxels > kMostVoxels)
    throw DataError(concat(image.path, ": the new spacing asks for ", voxels, " voxels, but at most ", kMostVoxels,
                           " are computed; choose a larger spacing."));
  const double widest = std::max({plans[0].new_spacing, plans[1].new_spacing, plans[2].new_spacing});
  const Cut cut = cut_around(whole, mask.inside, kSphereRadius + 2 * widest);
  if (settings.image == Interpolation::cubic &&
      std::any_of(cut.intensity.values.begin(), cut.intensity.values.end(), [](double v) { return !std::isfinite(v); }))
    throw DataError(concat(image.path,
                           ": a voxel near the mask is not finite, but cubic splines need all of them; "
                           "choose image_interpolation = \"linear\"."));
  Prepared made{resampled(cut.intensity, plans, cut.start, settings.image), {}};
  for (const double value : resampled(cut.inside, plans, cut.start, settings.mask).values)
    made.inside.push_back(value >= kHalf ? 1 : 0);
  if (settings.round)
    for (double& value : made.intensity.values) value = std::floor(value + kHalfUp);
  return made;
}

/// Leaves the voxels for which keep(intensity) holds in the intensity mask.
template <typename Keep>
void keep_voxels(Region& region, const Keep& keep) {
  std::erase_if(region.voxels, [&](Index voxel) { return !keep(region.value(voxel)); });
}

void segment_again(Region& region, const Settings& settings, const std::string& path) {
  const auto all_finite = [](double value) { return std::isfinite(value); };
  const std::vector<double> values = region.values();
  if (const auto bad = std::find_if_not(values.begin(), values.end(), all_finite); bad != values.end())
    throw DataError(concat(path, ": an intensity in the mask is ", exact_text(*bad), ", but all must be finite."));
  if (!settings.range.empty())
    keep_voxels(region, [&](double v) { return v >= settings.range[0] && v <= settings.range[1]; });
  if (region.voxels.empty())
    throw DataError(concat(path, ": no intensity in the mask lies in the range from ", exact_text(settings.range[0]),
                           " to ", exact_text(settings.range[1]), "; at least one must."));
  if (settings.outlier_sd > 0) {
    const Moments all = moments(region.values());
    const double width = settings.outlier_sd * std::sqrt(all.variance);
    keep_voxels(region, [&](double v) { return std::abs(v - all.mean) <= width; });
  }
}

/// The bin of an intensity, from 1, and where bins begin.
struct Binning {
  double low = 0, high = 0;  ///< of the range or of the mask
  Bins bins;

  double width() const { return bins.kind == BinKind::number ? (high - low) / bins.number : bins.width; }
  double bin(double value) const {
    if (bins.kind == BinKind::number)
      return high > low ? std::min<double>(bins.number, std::floor(bins.number * (value - low) / (high - low)) + 1) : 1;
    return std::floor((value - low) / bins.width) + 1;
  }
};

Binning binning_of(const Region& region, const Settings& settings, const Bins& bins) {
  const std::vector<double> values = region.values();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool by_range = bins.kind != BinKind::number && !settings.range.empty();
  return {by_range ? settings.range[0] : *low, by_range ? settings.range[1] : *high, bins};
}

void set_levels(Region& region, const Settings& settings, const std::string& path) {
  if (settings.levels.kind == BinKind::as_is) return set_levels_as_they_are(region, path);
  const Binning binning = binning_of(region, settings, settings.levels);
  for (const Index voxel : region.voxels) {
    const double level = binning.bin(region.value(voxel));
    if (!(level <= kMostLevels))
      throw DataError(concat(path, ": bins of width ", exact_text(settings.levels.width), " are more than ",
                             kMostLevels, " grey levels; choose a larger levels.width."));
    region.level[static_cast<std::size_t>(voxel)] = static_cast<std::int32_t>(level);
    region.levels = std::max(region.levels, static_cast<std::int32_t>(level));
  }
}

void set_volume_histogram(Region& region, const Settings& settings) {
  const Binning binning = binning_of(region, settings, settings.volume);
  VolumeHistogram& made = region.volume;
  made = {region.values(), binning.low, binning.high, 1};
  if (settings.volume.kind == BinKind::as_is) return;
  for (double& value : made.values) value = binning.bin(value);
  made.low = 1;
  made.high = settings.volume.number;
  if (settings.volume.kind == BinKind::number) return;
  made.step = binning.width();  // intensities of the middles of bins
  for (double& value : made.values) value = binning.low + (value - 0.5) * made.step;
  made.low = binning.low + 0.5 * made.step;
  made.high = binning.high - 0.5 * made.step;
}

}  // namespace

Region processed(const Volume& image, const Mask& mask, const Settings& settings) {
  const Prepared made = resampled_pair(image, mask, settings);
  if (std::find(made.inside.begin(), made.inside.end(), 1) == made.inside.end())
    throw DataError(concat(image.path, ": no voxel of the new grid lies in the mask; choose a smaller spacing."));
  Region region = region_around(made.intensity.size, made.intensity.spacing, made.intensity.values, made.inside);
  segment_again(region, settings, image.path);
  set_levels(region, settings, image.path);
  set_volume_histogram(region, settings);
  return region;
}

}  // namespace fovea::imaging::radiomics
