#pragma once
/// The points of a sweep as one data set: the swept keys become dimensions in front of the points' own.
///
/// A point that failed is missing: its places hold NaN. Whole numbers with a missing place become doubles (exact up to
/// 2^53), flags get the value 255 (called "missing" in their flag_meanings), texts stay empty.
/// A coordinate that is the same in all points stays one. One that differs (a swept grid) becomes a variable with the
/// axes in front; its dimension NAME becomes NAME_index, counted from 0, as long as the longest, the rest missing.
/// A dimension of different sizes without coordinate is likewise as long as the longest.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea {

/// A swept key and its values (double, int64, uint8 or text). In the data set its dots are '_' ("temperature.low" is
/// temperature_low), since `ds.temperature_low` should work; if the points have a dimension or another variable of
/// that name, it is sweep_temperature_low. A scalar of that name with the axis' own values is replaced by the axis.
/// A text axis is a text coordinate: ds.sel(branch="cooling"), ds.variance.mean("seed").plot(x="temperature",
/// hue="branch").
struct MergeAxis {
  std::string key;
  Values values;
  std::string units;
  std::string long_name;
  std::size_t size() const;
  std::string text(std::size_t index) const;  ///< one value, shortest form that reads back
};

/// The point's place on the axes with more than one value, such as "branch=cooling, seed=3"; the last axis runs
/// fastest.
std::string point_label(const std::vector<MergeAxis>& axes, std::size_t point);

/// Points that come one after the other: of each only what the merged data set keeps stays in memory.
class PointMerger {
 public:
  explicit PointMerger(const std::vector<MergeAxis>& axes);
  ~PointMerger();
  PointMerger(const PointMerger&) = delete;
  PointMerger& operator=(const PointMerger&) = delete;

  /// point: its number, last axis fastest; higher than those before. One that is not added is missing.
  void add(std::size_t point, const Dataset& data);
  /// Attributes and documents that are the same in all points are kept. Once, at the end. Throws ArgumentError when a
  /// variable has other dimensions or another type in another point.
  Dataset finish();
  /// What the dimension of a point is called in the merged data set.
  std::string merged_name(const std::string& dimension) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same of points that are all there: one for each combination of the axes; nullptr for a missing one. Throws
/// ArgumentError when their number is wrong, too.
Dataset merge_points(const std::vector<MergeAxis>& axes, const std::vector<const Dataset*>& points);

/// The same with all that belongs to the results: headlines, figures and notes once each; the checks of all points,
/// with the point's label in the name ("gap (branch=cooling, seed=3)"); the verdict only of a single point. What
/// depends on the machine likewise, apart.
class ResultsMerger {
 public:
  explicit ResultsMerger(const std::vector<MergeAxis>& axes);
  void add(std::size_t point, const Results& results);
  Results finish();

 private:
  std::vector<MergeAxis> axes_;
  std::size_t size_ = 1;
  PointMerger data_;
  Results merged_;  ///< all but data, headlines and figures
  std::vector<Headline> headlines_;
  std::vector<Figure> figures_;
  std::unique_ptr<ResultsMerger> machine_;
};
Results merge_results(const std::vector<MergeAxis>& axes, const std::vector<const Results*>& points);

}  // namespace fovea
