#include "fovea/domains/imaging/radiomics/intensities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea::imaging::radiomics {

namespace {

/// What statistics and histogram share.
struct Summary {
  Moments moments;
  std::vector<double> sorted;
  double median = 0, p10 = 0, p25 = 0, p75 = 0, p90 = 0, mad = 0, robust_mad = 0, median_ad = 0, squares = 0;

  double lowest() const { return sorted.front(); }
  double highest() const { return sorted.back(); }
  double variation() const { return std::sqrt(moments.variance) / moments.mean; }
  double dispersion() const { return (p75 - p25) / (p75 + p25); }
};

double mean_distance(std::span<const double> values, double from) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value - from);
  return sum / static_cast<double>(values.size());
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Summary summary_of(std::vector<double> values) {
  Summary all;
  std::sort(values.begin(), values.end());  // sums in this order: a turned or mirrored image gives the same bits
  all.moments = moments(values);
  all.median = sorted_quantile(values, 0.5);
  all.p10 = sorted_quantile(values, 0.1);
  all.p25 = sorted_quantile(values, 0.25);
  all.p75 = sorted_quantile(values, 0.75);
  all.p90 = sorted_quantile(values, 0.9);
  all.mad = mean_distance(values, all.moments.mean);
  all.median_ad = mean_distance(values, all.median);
  const auto first = std::lower_bound(values.begin(), values.end(), all.p10);
  const auto last = std::upper_bound(values.begin(), values.end(), all.p90);
  const std::span<const double> middle(first, last);
  all.robust_mad = middle.empty() ? kNan : mean_distance(middle, mean_of(middle));
  for (const double value : values) all.squares += value * value;
  all.sorted = std::move(values);
  return all;
}

std::vector<double> levels_of(const Region& region) {
  std::vector<double> levels;
  for (const Index voxel : region.voxels) levels.push_back(region.level[static_cast<std::size_t>(voxel)]);
  return levels;
}

/// n_i of the levels 1 .. N_g.
std::vector<double> level_counts(const Region& region) {
  std::vector<double> counts(static_cast<std::size_t>(region.levels), 0.0);
  for (const Index voxel : region.voxels)
    ++counts[static_cast<std::size_t>(region.level[static_cast<std::size_t>(voxel)] - 1)];
  return counts;
}

double mode_of(const std::vector<double>& counts, double mean) {
  double mode = 0, most = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double level = static_cast<double>(i + 1);
    if (counts[i] > most || (counts[i] == most && std::abs(level - mean) < std::abs(mode - mean))) mode = level;
    most = std::max(most, counts[i]);
  }
  return mode;
}

/// The extreme of the histogram's gradient and the first level that has it.
struct Slope {
  double gradient = 0, level = 1;
};

Slope steepest(const std::vector<double>& counts, double sign) {
  Slope found{-std::numeric_limits<double>::infinity(), 1};
  const std::size_t n = counts.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1, after = i + 1 == n ? i : i + 1;
    const double gradient =
        before == after ? 0 : (counts[after] - counts[before]) / static_cast<double>(after - before);
    if (sign * gradient > found.gradient) found = {sign * gradient, static_cast<double>(i + 1)};
  }
  return {sign * found.gradient, found.level};
}

/// A row of a sphere of voxels: from -half to half along x.
struct SphereRow {
  Index y, z, half;
};

std::vector<SphereRow> sphere_rows(const std::array<double, 3>& spacing) {
  std::vector<SphereRow> rows;
  const auto most = [&](std::size_t axis) { return static_cast<Index>(kSphereRadius / spacing[axis]); };
  for (Index z = -most(2); z <= most(2); ++z)
    for (Index y = -most(1); y <= most(1); ++y) {
      const double dy = static_cast<double>(y) * spacing[1], dz = static_cast<double>(z) * spacing[2];
      const double left = kSphereRadius * kSphereRadius - dy * dy - dz * dz;
      if (left >= 0) rows.push_back({y, z, static_cast<Index>(std::sqrt(left) / spacing[0])});
    }
  return rows;
}

/// The mean intensity in the sphere around a voxel; voxels outside of the image have no part in it.
double sphere_mean(const Region& region, const std::vector<SphereRow>& rows, Index voxel) {
  const auto [x, y, z] = region.place(voxel);
  double sum = 0, count = 0;
  for (const SphereRow& row : rows) {
    if (y + row.y < 0 || y + row.y >= region.size[1] || z + row.z < 0 || z + row.z >= region.size[2]) continue;
    const Index begin = std::max<Index>(0, x - row.half), end = std::min(region.size[0] - 1, x + row.half);
    const double* line = region.intensity.data() + region.at(0, y + row.y, z + row.z);
    for (Index k = begin; k <= end; ++k)
      if (!std::isnan(line[k])) {
        sum += line[k];
        ++count;
      }
  }
  return sum / count;
}

}  // namespace

std::vector<double> local_intensity(const Region& region, Variant) {
  const std::vector<SphereRow> rows = sphere_rows(region.spacing);
  const auto intensity = [&](Index voxel) { return region.intensity[static_cast<std::size_t>(voxel)]; };
  double highest = -std::numeric_limits<double>::infinity(), local = highest, global = highest;
  for (const Index voxel : region.voxels) {
    const double mean = sphere_mean(region, rows, voxel);
    if (intensity(voxel) > highest || (intensity(voxel) == highest && mean > local)) local = mean;
    highest = std::max(highest, intensity(voxel));
    global = std::max(global, mean);
  }
  return {local, global};
}

std::vector<double> intensity_statistics(const Region& region, Variant) {
  const Summary s = summary_of(region.values());
  return {s.moments.mean,
          s.moments.variance,
          s.moments.skewness,
          s.moments.kurtosis - 3,
          s.median,
          s.lowest(),
          s.p10,
          s.p90,
          s.highest(),
          s.p75 - s.p25,
          s.highest() - s.lowest(),
          s.mad,
          s.robust_mad,
          s.median_ad,
          s.variation(),
          s.dispersion(),
          s.squares,
          std::sqrt(s.squares / static_cast<double>(s.sorted.size()))};
}

std::vector<double> intensity_histogram(const Region& region, Variant) {
  const Summary s = summary_of(levels_of(region));
  const std::vector<double> counts = level_counts(region);
  double entropy = 0, uniformity = 0;
  for (const double count : counts) {
    const double p = count / static_cast<double>(region.voxels.size());
    if (p > 0) entropy -= p * std::log2(p);
    uniformity += p * p;
  }
  const Slope up = steepest(counts, 1), down = steepest(counts, -1);
  return {s.moments.mean,
          s.moments.variance,
          s.moments.skewness,
          s.moments.kurtosis - 3,
          s.median,
          s.lowest(),
          s.p10,
          s.p90,
          s.highest(),
          mode_of(counts, s.moments.mean),
          s.p75 - s.p25,
          s.highest() - s.lowest(),
          s.mad,
          s.robust_mad,
          s.median_ad,
          s.variation(),
          s.dispersion(),
          entropy,
          uniformity,
          up.gradient,
          up.level,
          down.gradient,
          down.level};
}

std::vector<double> volume_histogram(const Region& region, Variant) {
  std::vector<double> sorted = region.volume.values;
  std::sort(sorted.begin(), sorted.end());
  const auto [low, high, step] = std::tuple(region.volume.low, region.volume.high, region.volume.step);
  const double slack = 1e-9 * step;  // bins and shares of the range, such as 2.5 k, are rounded
  const auto share = [&](double intensity) {
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), intensity - slack);
    return static_cast<double>(sorted.end() - first) / static_cast<double>(sorted.size());
  };
  const auto volume_at = [&](double part) { return share(low + part * (high - low)); };
  const auto intensity_at = [&](double part) {
    Index reached = 0, missed = static_cast<Index>(std::floor((high - low) / step + 0.5)) + 1;  // share falls with k
    while (reached < missed) {
      const Index middle = (reached + missed) / 2;
      if (share(low + static_cast<double>(middle) * step) > part)
        reached = middle + 1;
      else
        missed = middle;
    }
    return low + static_cast<double>(missed) * step;
  };
  const double v10 = volume_at(0.1), v90 = volume_at(0.9), i10 = intensity_at(0.1), i90 = intensity_at(0.9);
  return {v10, v90, i10, i90, v10 - v90, i10 - i90};
}

}  // namespace fovea::imaging::radiomics
