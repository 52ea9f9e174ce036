#pragma once
/// What the statements of this laboratory have in common: numbers pooled over the seeds, and the verdict.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::mechanism {

/// A variable of merged results: its replicas (every swept key in front, the seed last) and its own places.
class Pool {
 public:
  /// places: how many values one point has, the product of its own dimensions. Throws ArgumentError if the variable
  /// has not a multiple of them.
  Pool(const Dataset& data, const std::string& name, std::size_t places);

  std::size_t replicas() const { return values_.size() / places_; }
  std::size_t places() const { return places_; }
  double at(std::size_t replica, std::size_t place) const { return values_[replica * places_ + place]; }
  /// One place in all replicas.
  std::vector<double> of(std::size_t place) const;
  MeanWithError mean(std::size_t place) const { return mean_with_error(of(place)); }
  double largest() const;  ///< of all; NaN if one of them is

 private:
  std::vector<double> values_;
  std::size_t places_;
};

/// Scalar `name` of the merged results with its 95 % interval (Student's t over the replicas) in `name`_half_width.
MeanWithError add_pooled(Results& merged, const std::string& from, const std::string& name, const std::string& meaning);

/// "<statement>: holds within <within>." or "<statement>: does not hold: <the first failed check, with its numbers>."
void give_verdict(Results& merged, const std::string& statement, const std::string& within);

/// Independent standard normal numbers: entry (i, c) by entity i and step c of the stream.
Matrix<double> normal_matrix(Index rows, Index columns, const Random& random);

}  // namespace fovea::mechanism
