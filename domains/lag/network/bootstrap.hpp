#pragma once
/// How stable links are: the search repeated on the same data drawn again in blocks.

#include <span>
#include <vector>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::network {

/// The mean length of blocks, in steps, that is best for the mean of a stationary series by the stationary bootstrap
/// (Politis and White 2004, section 3, as corrected by Patton, Politis and White 2009), at least 1, at most
/// ceil(min(3 sqrt(n), n / 3)). NaN is left out. 1 for fewer than 8 values or equal ones.
double block_length(std::span<const double> series);

/// A draw of the stationary bootstrap (Politis and Romano 1994): blocks of times that start anywhere and have lengths
/// geometric with mean `length` >= 1, together as many times as the table has. Each block comes with the `reach` >= 0
/// steps before it and is a recording of its own, so every lag up to `reach` looks at the past that there really was;
/// no block crosses from one recording into another. A function of (random, draw) and the table.
datasets::series::SeriesTable drawn_again(const datasets::series::SeriesTable& table, double length, Index reach,
                                          const Random& random, Index draw);

/// The share of the draws in which each link counts with the same lag.
std::vector<double> shares_of_draws(const std::vector<methods::Link>& links,
                                    const std::vector<methods::Findings>& draws);

}  // namespace fovea::lag::network
