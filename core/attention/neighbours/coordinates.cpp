#include "fovea/core/attention/neighbours/coordinates.hpp"

#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

void check_periods(std::string_view who, const std::vector<double>& periods, Index dimensions) {
  require(periods.empty() || static_cast<Index>(periods.size()) == dimensions, who, ": there are ", periods.size(),
          " periods, but the coordinates have ", dimensions,
          " dimensions; give one for each (0: not periodic) or none.");
  for (std::size_t a = 0; a < periods.size(); ++a)
    require(periods[a] >= 0 && std::isfinite(periods[a]), who, ": period ", a, " is ", periods[a],
            ", but must be finite and > 0, or 0 for an axis that is not periodic.");
}

void check_points(std::string_view who, std::string_view name, const Matrix<double>& points) {
  for (Index i = 0; i < points.rows(); ++i)
    for (Index a = 0; a < points.cols(); ++a)
      require(std::isfinite(points(i, a)), who, ": coordinate ", a, " of ", name, " ", i, " is ", points(i, a),
              ", but must be finite.");
}

void check_rows(std::string_view who, std::string_view name, Index rows, Index last) {
  require(rows == last, who, ": ", name, "_offsets end at ", last, ", but there are coordinates of ", rows, " ", name,
          " rows; the last offset must be their number.");
}

void fold(Matrix<double>& points, Index axis, double period) {
  for (Index i = 0; i < points.rows(); ++i) points(i, axis) = std::remainder(points(i, axis), period);
}

}  // namespace

CheckedCoordinates::CheckedCoordinates(std::string_view who, Coordinates coordinates)
    : queries_(std::move(coordinates.queries)),
      keys_(std::move(coordinates.keys)),
      periods_(std::move(coordinates.periods)),
      sets_(std::move(coordinates.sets)) {
  require(queries_.cols() == keys_.cols(), who, ": the queries have coordinates in ", queries_.cols(),
          " dimensions but the keys in ", keys_.cols(), "; both need the same.");
  require(1 <= dimensions() && dimensions() <= kMostDimensions, who, ": the coordinates have ", dimensions(),
          " dimensions, but must have 1 to ", kMostDimensions, ".");
  check_periods(who, periods_, dimensions());
  if (sets_.query_offsets.empty() && sets_.key_offsets.empty()) sets_ = {{0, queries_.rows()}, {0, keys_.rows()}};
  check_sets(who, sets_);
  check_rows(who, "query", queries_.rows(), sets_.all_queries());
  check_rows(who, "key", keys_.rows(), sets_.all_keys());
  check_points(who, "query", queries_);
  check_points(who, "key", keys_);
  periods_.resize(dimensions(), 0);
  for (Index a = 0; a < dimensions(); ++a) {
    double& period = periods_[a];
    if (period == 0) {
      period = std::numeric_limits<double>::infinity();
    } else {
      fold(queries_, a, period);
      fold(keys_, a, period);
    }
  }
}

}  // namespace fovea
