#pragma once
/// Tests of every column of a regression given the same columns, for many targets.

#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/linear/sparse_tests.hpp"

namespace fovea {

/// What the conditions leave of each key is the same for all targets, so it is computed once: with the products
/// P = X' X of the conditions, P = L L', and C = X' Z with the other keys Z,
///
///   left_z = z' z - |L^-1 C|^2 (column by column),   partial covariance of z and y = z' y - (L^-1 C)' L^-1 X' y
///
/// and of a condition itself, given the others, from the diagonal of P^-1. O(keys conditions^2) once, then
/// O(keys conditions) a target. A condition that those before it determine is left out, as in sparse_tests.
class CommonConditions {
 public:
  /// products    of all keys, as in sparse_tests
  /// conditions  keys, each once
  CommonConditions(const ProductRows& products, const std::vector<Index>& conditions);

  /// What sparse_tests finds with `first` the conditions and nothing joined. target_square >= 0.
  SparseTests test(const Vector<double>& with_target, double target_square) const;

 private:
  std::vector<Index> chosen_;
  Vector<double> squares_;      ///< of each key
  Matrix<double> factor_;       ///< L, lower triangle
  Matrix<double> projections_;  ///< L^-1 X' (all keys), conditions x keys
  Vector<double> left_;         ///< of each key's square; of a condition given the others: 1 / (P^-1)_ii
};

}  // namespace fovea
