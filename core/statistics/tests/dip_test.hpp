#pragma once
/// Is a sample of one hump? The dip (Hartigan and Hartigan 1985, Annals of Statistics 13, 70-84).

#include <span>

#include "fovea/core/base/random.hpp"

namespace fovea {

/// The dip of values that ascend: the least distance sup_x |F(x) - G(x)| of their distribution function F from any
/// unimodal G, one that is convex up to a mode and concave behind it (it may jump at the mode). Exact up to rounding.
/// Range [0, 1/4]: two points of one half each 1/4; n evenly spaced points 1/(2n), the least that n >= 2 different
/// values that are equally frequent can have; one value 0. Unchanged by x -> a + b x, b != 0.
/// O(n log(1/eps)). Throws ArgumentError for no values and for values that do not ascend.
double dip(std::span<const double> ascending_values);
/// The same where each value has a mass, such as a design weight: > 0 and finite, as many as there are values.
double dip(std::span<const double> ascending_values, std::span<const double> masses);

/// How often a uniform sample of the same size has a dip at least as large, by `rounds` simulated ones (counters of
/// `random`): (1 + number of those) / (1 + rounds). Small: more than one hump. The uniform is the least favourable
/// unimodal distribution asymptotically. Above kDipSample values sqrt(n) dip is compared at n = kDipSample, where its
/// distribution no longer changes visibly. n >= 2, rounds >= 1; throws ArgumentError.
inline constexpr std::size_t kDipSample = 2000;
double dip_p_value(double dip, std::size_t n, const Random& random, int rounds = 999);

}  // namespace fovea
