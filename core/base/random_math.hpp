#pragma once
/// The elementary functions that random numbers need, from +, -, *, / alone, so that their bits do not depend on the
/// machine's mathematical library. Compile with -ffp-contract=off.

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Natural logarithm of u in (0, 1]; relative error below 1e-15.
double log_of_unit(double u);

/// cos(2 pi u) for u in [0, 1); absolute error below 1e-15, and exactly 1, 0, -1, 0 at u = 0, 1/4, 1/2, 3/4.
double cosine_of_turn(double u);

/// out[i] = the normal number of Philox key `key` at (first + i, step), see Random::normals.
void fill_normals(std::uint64_t key, std::uint64_t first, std::uint64_t step, double* out, std::size_t count);

}  // namespace fovea
