#include "fovea/domains/imaging/radiomics/kernels/pair_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::imaging::radiomics {

namespace {

/// Voxels of the mask with the same y and z, from the first to the last; places between that are not in it are 0.
struct Row {
  Index y = 0, z = 0, x = 0, count = 0;
  Index begin = 0;  ///< in the arrays of all rows
};

struct Rows {
  std::vector<Row> rows;
  std::vector<double> inside, values;  ///< 1 in the mask and v there, else 0
  std::vector<std::size_t> place;      ///< of the voxels
};

Rows rows_of(const Region& region, const std::vector<double>& v) {
  Rows all;
  for (std::size_t k = 0; k < region.voxels.size(); ++k) {
    const auto [x, y, z] = region.place(region.voxels[k]);
    if (all.rows.empty() || all.rows.back().y != y || all.rows.back().z != z)
      all.rows.push_back({y, z, x, 0, static_cast<Index>(all.inside.size())});
    Row& row = all.rows.back();
    row.count = x - row.x + 1;
    const std::size_t place = static_cast<std::size_t>(row.begin + row.count - 1);
    all.inside.resize(place + 1, 0.0);
    all.values.resize(place + 1, 0.0);
    all.inside[place] = 1;
    all.values[place] = v[k];
    all.place.push_back(place);
  }
  return all;
}

/// 1 / distance for every difference in rows, columns and x; x from -(size - 1) to size - 1; 0 for none.
class InverseDistances {
 public:
  explicit InverseDistances(const Region& region) : size_(region.size) {
    inverse_.resize(static_cast<std::size_t>(size_[1] * size_[2] * width()));
    for (Index z = 0; z < size_[2]; ++z)
      for (Index y = 0; y < size_[1]; ++y)
        for (Index x = 0; x < width(); ++x) {
          const double dx = static_cast<double>(x - size_[0] + 1) * region.spacing[0];
          const double dy = static_cast<double>(y) * region.spacing[1], dz = static_cast<double>(z) * region.spacing[2];
          const double squared = dx * dx + dy * dy + dz * dz;
          inverse_[static_cast<std::size_t>((z * size_[1] + y) * width() + x)] =
              squared > 0 ? 1 / std::sqrt(squared) : 0;
        }
  }
  /// [dx] = 1 / distance
  const double* row(Index dy, Index dz) const {
    return inverse_.data() + (std::abs(dz) * size_[1] + std::abs(dy)) * width() + size_[0] - 1;
  }

 private:
  Index width() const { return 2 * size_[0] - 1; }
  std::array<Index, 3> size_;
  std::vector<double> inverse_;
};

/// weights_i += sum_j inverse[j - i] inside_j, values_i likewise: four j at a time, so that a sum is loaded once for
/// them.
[[gnu::target_clones("avx512f", "avx2", "default")]] void add_row(const double* inverse, const double* inside,
                                                                  const double* v, Index others, double* weights,
                                                                  double* values, Index count) {
  Index j = 0;
  for (; j + 4 <= others; j += 4) {
    const double a = inside[j], b = inside[j + 1], c = inside[j + 2], d = inside[j + 3];
    const double p = v[j], q = v[j + 1], r = v[j + 2], s = v[j + 3];
    const double* near = inverse - j;  // distances are the same both ways: [i - j] = [j - i]
    for (Index i = 0; i < count; ++i) {
      weights[i] += near[i] * a + near[i - 1] * b + near[i - 2] * c + near[i - 3] * d;
      values[i] += near[i] * p + near[i - 1] * q + near[i - 2] * r + near[i - 3] * s;
    }
  }
  for (; j < others; ++j)
    for (Index i = 0; i < count; ++i) {
      weights[i] += inverse[i - j] * inside[j];
      values[i] += inverse[i - j] * v[j];
    }
}

}  // namespace

PairSums pair_sums(const Region& region, const std::vector<double>& v) {
  const Rows all = rows_of(region, v);
  const InverseDistances inverse(region);
  std::vector<double> weights(all.inside.size(), 0.0), values(all.inside.size(), 0.0);
  for_each_task(static_cast<Index>(all.rows.size()), region.voxels.size() > 1000, [&](Index k) {
    const Row& row = all.rows[static_cast<std::size_t>(k)];
    for (const Row& other : all.rows)
      add_row(inverse.row(row.y - other.y, row.z - other.z) + row.x - other.x, all.inside.data() + other.begin,
              all.values.data() + other.begin, other.count, weights.data() + row.begin, values.data() + row.begin,
              row.count);
  });
  PairSums sums;
  for (const std::size_t place : all.place) {
    sums.weights.push_back(weights[place]);
    sums.values.push_back(values[place]);
  }
  return sums;
}

Autocorrelation autocorrelation(const Region& region) {
  std::vector<double> x = region.values();
  const double n = static_cast<double>(x.size()), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  for (double& value : x) value -= mean;
  const PairSums sums = pair_sums(region, x);
  double weights = 0, products = 0, squares = 0, spread = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    weights += sums.weights[i];
    products += x[i] * sums.values[i];
    squares += x[i] * x[i] * sums.weights[i];
    spread += x[i] * x[i];
  }
  if (!(weights > 0 && spread > 0)) return {kNan, kNan};
  return {n * products / (weights * spread), (n - 1) * (squares - products) / (weights * spread)};
}

}  // namespace fovea::imaging::radiomics
