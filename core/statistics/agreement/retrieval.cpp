#include "fovea/core/statistics/agreement/retrieval.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// The mean over places of what one is worth.
template <typename Worth>
double mean_over_places(const char* who, std::span<const Index> places, const Worth& worth) {
  require(!places.empty(), who, ": there are no places; at least one is needed.");
  double sum = 0;
  for (const Index place : places) {
    require(place >= 1, who, ": a place is ", place, ", but must be >= 1.");
    sum += worth(place);
  }
  return sum / static_cast<double>(places.size());
}

}  // namespace

std::vector<Index> places_of_right(const MatrixView<double>& scores, std::span<const Index> right) {
  require(scores.rows() >= 1 && scores.rows() == static_cast<Index>(right.size()), "places_of_right: there are ",
          scores.rows(), " rows of scores and ", right.size(), " right candidates; as many are needed, at least one.");
  std::vector<Index> places;
  for (Index q = 0; q < scores.rows(); ++q) {
    const Index wanted = right[q];
    require(wanted >= 0 && wanted < scores.cols(), "places_of_right: the right candidate of query ", q, " is ", wanted,
            ", but must be in [0, ", scores.cols(), ").");
    Index place = 1;
    for (Index c = 0; c < scores.cols(); ++c) {
      require(!std::isnan(scores(q, c)), "places_of_right: a score of query ", q, " is NaN; it must be a number.");
      if (c != wanted && scores(q, c) >= scores(q, wanted)) ++place;
    }
    places.push_back(place);
  }
  return places;
}

double recall_at(std::span<const Index> places, Index k) {
  require(k >= 1, "recall_at: k = ", k, ", but must be >= 1.");
  return mean_over_places("recall_at", places, [k](Index place) { return place <= k ? 1.0 : 0.0; });
}

}  // namespace fovea
