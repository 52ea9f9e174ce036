#pragma once
/// Which counts are put together into one matrix, for each variant, and means over the matrices.

#include <optional>
#include <span>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

/// Voxels of the intensity mask whose counts come into one matrix.
struct Group {
  std::span<const Index> voxels;
  bool flat = false;              ///< neighbours in the slice alone
  std::vector<Index> directions;  ///< steps from a voxel to the next; for families with directions
};

std::vector<Group> groups(const Region& region, const Variant& variant);

/// Steps to all neighbours, 8 or 26; the first half are the directions, the second half their opposites.
std::vector<Index> neighbour_steps(const Region& region, bool flat);

/// The features of one matrix; none where it has no counts.
using MatrixFeatures = std::optional<std::vector<double>> (*)(const Region& region, const Group& group);

/// The mean over the groups of a variant; `count` NaN where no group has any.
std::vector<double> mean_over_groups(const Region& region, const Variant& variant, std::size_t count,
                                     MatrixFeatures features);

/// A table of counts: how often level i goes with j, such as the length of a run or the size of a zone; and the
/// features that run length, size zone, distance zone and dependence matrices share (manual, 3.7 to 3.9 and 3.11).
class LevelCounts {
 public:
  LevelCounts(Index levels, Index largest)
      : largest_(largest), counts_(static_cast<std::size_t>(levels * largest), 0) {}
  void add(Index level, Index j) { ++counts_[static_cast<std::size_t>((level - 1) * largest_ + j - 1)]; }
  /// Of the column j, with another number in its place: zones have few sizes, but large ones.
  std::vector<double> column_values;  ///< empty: 1, 2, ...

  /// With N_s = sum r_ij, p = r / N_s: short and long emphasis sum p / j^2, p j^2; low and high level emphasis
  /// sum p / i^2, p i^2; short low p / (i^2 j^2), short high p i^2 / j^2, long low p j^2 / i^2, long high p i^2 j^2;
  /// level non-uniformity sum_i (sum_j r)^2 / N_s and over N_s^2; non-uniformity of j likewise; percentage N_s / N_v;
  /// variance of i and of j; entropy -sum p log2 p; energy sum p^2.
  /// voxels: N_v. At least one count.
  std::vector<double> features(double voxels) const;
  double total() const;

 private:
  Index largest_;
  std::vector<std::int64_t> counts_;
};

/// Counts of (level, j) pairs whose j may be large; levels within 1 .. levels.
LevelCounts level_counts_of(std::span<const Index> levels_of_zones, std::span<const Index> j_of_zones, Index levels);

}  // namespace fovea::imaging::radiomics
