#pragma once
/// How weights start.

#include <cmath>
#include <string_view>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::learning {

/// Uniform on [-bound, bound]. name: that of the parameter, so that each has its own numbers.
template <typename Real>
Matrix<Real> uniform_start(Index rows, Index columns, double bound, const Random& random, std::string_view name) {
  const Random mine = random.stream(name);
  Matrix<Real> weights(rows, columns);
  for (Index k = 0; k < weights.size(); ++k)
    weights.data()[k] = static_cast<Real>(bound * (2 * mine.uniform(static_cast<std::uint64_t>(k)) - 1));
  return weights;
}

/// Variance 2 / (rows + columns): signals keep their size on the way forth and back (Glorot & Bengio 2010, eq. 16).
template <typename Real>
Matrix<Real> glorot_start(Index rows, Index columns, const Random& random, std::string_view name) {
  return uniform_start<Real>(rows, columns, std::sqrt(6.0 / static_cast<double>(rows + columns)), random, name);
}

/// Normal with that standard deviation.
template <typename Real>
Matrix<Real> normal_start(Index rows, Index columns, double deviation, const Random& random, std::string_view name) {
  const Random mine = random.stream(name);
  Matrix<Real> weights(rows, columns);
  for (Index k = 0; k < weights.size(); ++k)
    weights.data()[k] = static_cast<Real>(deviation * mine.normal(static_cast<std::uint64_t>(k)));
  return weights;
}

}  // namespace fovea::learning
