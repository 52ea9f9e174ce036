#pragma once
/// The least value of a function of a few numbers, without derivatives.

#include <functional>
#include <vector>

namespace fovea {

struct SimplexMinimum {
  std::vector<double> at;
  double value = 0;
  int evaluations = 0;
};

/// Nelder & Mead 1965 with the usual coefficients (reflect 1, expand 2, contract 1/2, shrink 1/2), from a right-angled
/// simplex at `start` with edges `steps`. Ends when the values of the simplex differ by less than `tolerance`, or after
/// so many evaluations. +infinity is allowed, but not at the start. A function of its arguments alone.
/// steps  as many as numbers in start, none of them 0. Throws ArgumentError.
SimplexMinimum simplex_minimum(const std::function<double(const std::vector<double>&)>& function,
                               const std::vector<double>& start, const std::vector<double>& steps, double tolerance,
                               int evaluations);

}  // namespace fovea
