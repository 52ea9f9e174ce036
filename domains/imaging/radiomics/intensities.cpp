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

  std::vector<double> features() const {
    const Moments& m = moments;
    return {m.mean,
            m.variance,
            m.skewness,
            m.kurtosis - 3,
            median,
            sorted.front(),
            p10,
            p90,
            sorted.back(),
            p75 - p25,
            sorted.back() - sorted.front(),
            mad,
            robust_mad,
            median_ad,
            std::sqrt(m.variance) / m.mean,
            (p75 - p25) / (p75 + p25)};
  }
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

std::vector<SphereRow> sphere_rows(const Region& region) {
  const std::array<double, 3>& spacing = region.spacing;
  std::vector<SphereRow> rows;
  const auto most = [&](std::size_t axis) {
    return std::min(region.size[axis], static_cast<Index>(kSphereRadius / spacing[axis]));
  };
  for (Index z = -most(2); z <= most(2); ++z)
    for (Index y = -most(1); y <= most(1); ++y) {
      const double dy = static_cast<double>(y) * spacing[1], dz = static_cast<double>(z) * spacing[2];
      const double left = kSphereRadius * kSphereRadius - dy * dy - dz * dz;
      if (left >= 0) rows.push_back({y, z, static_cast<Index>(std::sqrt(left) / spacing[0])});
    }
  return rows;
}

/// For each line along x, the sums of its first 0, 1, 2, ... intensities, and how many of them are in the image.
struct RunningSums {
  Index width;
  std::vector<double> sum, count;

  explicit RunningSums(const Region& region) : width(region.size[0] + 1) {
    for (std::size_t voxel = 0; voxel < region.intensity.size(); ++voxel) {
      if (static_cast<Index>(voxel) % region.size[0] == 0) sum.push_back(0), count.push_back(0);
      const double value = region.intensity[voxel];
      sum.push_back(sum.back() + (std::isfinite(value) ? value : 0));
      count.push_back(count.back() + (std::isfinite(value) ? 1 : 0));
    }
  }
  double mean(const Region& region, const std::vector<SphereRow>& rows, Index voxel) const {
    const auto [x, y, z] = region.place(voxel);
    double total = 0, voxels = 0;
    for (const SphereRow& row : rows) {
      const Index j = y + row.y, k = z + row.z;
      if (j < 0 || j >= region.size[1] || k < 0 || k >= region.size[2]) continue;
      const Index line = (k * region.size[1] + j) * width;
      const auto begin = static_cast<std::size_t>(line + std::max<Index>(0, x - row.half));
      const auto end = static_cast<std::size_t>(line + std::min(region.size[0], x + row.half + 1));
      total += sum[end] - sum[begin];
      voxels += count[end] - count[begin];
    }
    return total / voxels;
  }
};

}  // namespace

std::vector<double> local_intensity(const Region& region, const Variant&) {
  const std::vector<SphereRow> rows = sphere_rows(region);
  const RunningSums sums(region);
  const auto intensity = [&](Index voxel) { return region.intensity[static_cast<std::size_t>(voxel)]; };
  double highest = -std::numeric_limits<double>::infinity(), local = highest, global = highest;
  for (const Index voxel : region.voxels) {
    const double mean = sums.mean(region, rows, voxel);
    if (intensity(voxel) > highest || (intensity(voxel) == highest && mean > local)) local = mean;
    highest = std::max(highest, intensity(voxel));
    global = std::max(global, mean);
  }
  return {local, global};
}

std::vector<double> intensity_statistics(const Region& region, const Variant&) {
  const Summary s = summary_of(region.values());
  std::vector<double> all = s.features();
  all.insert(all.end(), {s.squares, std::sqrt(s.squares / static_cast<double>(s.sorted.size()))});
  return all;
}

std::vector<double> intensity_histogram(const Region& region, const Variant&) {
  const Summary s = summary_of(levels_of(region));
  const std::vector<double> counts = level_counts(region);
  double entropy = 0, uniformity = 0;
  for (const double count : counts) {
    const double p = count / static_cast<double>(region.voxels.size());
    if (p > 0) entropy -= p * std::log2(p);
    uniformity += p * p;
  }
  const Slope up = steepest(counts, 1), down = steepest(counts, -1);
  std::vector<double> all = s.features();
  all.insert(all.begin() + 9, mode_of(counts, s.moments.mean));  // behind the highest level
  all.insert(all.end(), {entropy, uniformity, up.gradient, up.level, down.gradient, down.level});
  return all;
}

std::vector<double> volume_histogram(const Region& region, const Variant&) {
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
