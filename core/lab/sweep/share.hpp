#pragma once
/// Which points of a sweep a process takes, when others take the rest.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fovea {

struct Share {
  std::size_t index = 1, count = 1;                ///< shard `index` of `count`: points p with p mod count = index - 1
  std::optional<std::vector<std::size_t>> points;  ///< these instead, and no others

  bool is_empty() const { return points && points->empty(); }  ///< only to merge
  std::string name() const;                                    ///< "shard 2 of 40", "points 3, 7"
  /// Its own points of a sweep of so many. Throws UsageError for a point that there is not.
  std::vector<std::size_t> own(std::size_t size) const;
};

/// Points as they are written: "3,7,20-29", counted from 0. Throws UsageError.
std::vector<std::size_t> points_of(const std::string& text);

}  // namespace fovea
