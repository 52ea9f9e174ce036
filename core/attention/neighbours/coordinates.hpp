#pragma once
/// Where queries and keys lie, and how far apart.

#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/attention/packed_sets.hpp"
#include "fovea/core/base/matrix.hpp"

namespace fovea {

inline constexpr Index kMostDimensions = 8;

/// Coordinates of N queries and M keys in D = 1 to 8 dimensions, and what they are packed into.
struct Coordinates {
  Matrix<double> queries;  ///< N x D, finite
  Matrix<double> keys;     ///< M x D, finite
  /// Length after which an axis repeats itself, in its unit: 2 pi for an angle in radians, 360 for one in degrees; 0:
  /// it does not. D entries, or none where no axis repeats.
  std::vector<double> periods;
  PackedSets sets;  ///< only rows of the same set are compared; empty: one set of everything
};

/// Coordinates that were checked, in the form in which the search reads them.
///
/// The distance is sqrt(sum_a w_a^2), w_a = min(|x_a - y_a|, p_a - |x_a - y_a|), after every coordinate of an axis of
/// period p_a was taken to [-p_a / 2, p_a / 2] (exactly: IEEE remainder). All in double, axis after axis. Infinity
/// stands for the period of an axis that does not repeat.
class CheckedCoordinates {
 public:
  /// Throws ArgumentError where shapes, periods, sets or values break the rules above; who: for the message.
  CheckedCoordinates(std::string_view who, Coordinates coordinates);

  Index dimensions() const { return queries_.cols(); }
  const Matrix<double>& queries() const { return queries_; }
  const Matrix<double>& keys() const { return keys_; }
  std::span<const double> periods() const { return periods_; }
  const PackedSets& sets() const { return sets_; }
  const double* query(Index row) const { return queries_.data() + row * dimensions(); }
  const double* key(Index row) const { return keys_.data() + row * dimensions(); }

 private:
  Matrix<double> queries_, keys_;
  std::vector<double> periods_;
  PackedSets sets_;
};

}  // namespace fovea
