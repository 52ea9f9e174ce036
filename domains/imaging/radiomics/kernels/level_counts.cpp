#include "fovea/domains/imaging/radiomics/kernels/groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fovea::imaging::radiomics {

namespace {

double sum_of_squares(const std::vector<double>& sums) {
  return std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0);
}

/// sum_i (x_i - mean)^2 weight_i / total
template <typename Value>
double weighted_variance(const std::vector<double>& weights, double total, const Value& value) {
  double mean = 0, variance = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) mean += weights[k] * value(k) / total;
  for (std::size_t k = 0; k < weights.size(); ++k)
    variance += weights[k] * (value(k) - mean) * (value(k) - mean) / total;
  return variance;
}

}  // namespace

double LevelCounts::total() const {
  return static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}));
}

std::vector<double> LevelCounts::features(double voxels) const {
  const std::size_t columns = static_cast<std::size_t>(largest_), rows = counts_.size() / columns;
  const auto level = [](std::size_t i) { return static_cast<double>(i + 1); };
  const auto width = [&](std::size_t j) { return column_values.empty() ? level(j) : column_values[j]; };
  std::vector<double> by_level(rows, 0.0), by_width(columns, 0.0), f(17, 0.0);
  const double all = total();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const double count = static_cast<double>(counts_[i * columns + j]);
      if (count == 0) continue;
      const double p = count / all, ii = level(i) * level(i), jj = width(j) * width(j);
      by_level[i] += count;
      by_width[j] += count;
      f[0] += p / jj;
      f[1] += p * jj;
      f[2] += p / ii;
      f[3] += p * ii;
      f[4] += p / (ii * jj);
      f[5] += p * ii / jj;
      f[6] += p * jj / ii;
      f[7] += p * ii * jj;
      f[15] -= p * std::log2(p);
      f[16] += p * p;
    }
  f[8] = sum_of_squares(by_level) / all;
  f[9] = f[8] / all;
  f[10] = sum_of_squares(by_width) / all;
  f[11] = f[10] / all;
  f[12] = all / voxels;
  f[13] = weighted_variance(by_level, all, level);
  f[14] = weighted_variance(by_width, all, width);
  return f;
}

LevelCounts level_counts_of(std::span<const Index> levels_of_zones, std::span<const Index> j_of_zones, Index levels) {
  std::vector<Index> distinct(j_of_zones.begin(), j_of_zones.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  LevelCounts counts(levels, static_cast<Index>(distinct.size()));
  counts.column_values.assign(distinct.begin(), distinct.end());
  for (std::size_t k = 0; k < j_of_zones.size(); ++k)
    counts.add(levels_of_zones[k],
               std::lower_bound(distinct.begin(), distinct.end(), j_of_zones[k]) - distinct.begin() + 1);
  return counts;
}

}  // namespace fovea::imaging::radiomics
