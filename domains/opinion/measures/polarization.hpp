#pragma once
/// Measures of polarization that look at the distribution of opinions alone, one number an agent.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::measures {

/// Polarization of Duclos, Esteban and Ray (2004, Econometrica 72, eq. 3), not normalised:
///   P = integral f(x)^(1 + alpha) f(y) |x - y| dx dy,   estimated by  1/n sum_i f(x_i)^alpha 1/n sum_j |x_i - x_j|
/// with a Gaussian kernel density f. Its unit is length^(1 - alpha). Users of incomes x divide them by their mean first
/// and P by 2; with opinions, whose mean may be 0, nothing is divided.
/// ascending: the opinions, ascending; alpha in [0.25, 1]; bandwidth of the kernel, 0 for der_bandwidth().
/// Range [0, inf); 0 where all agree. Uniform on an interval of length L: L^(1 - alpha) / 3. Normal: see the test. For
/// densities: where the crowd is a few points, f and so P grow as bandwidth^-alpha; esteban_ray() is for those. O(n).
double der(std::span<const double> ascending, double alpha, double bandwidth = 0);

/// The rule of Duclos, Esteban and Ray for densities that are not far from normal:  h = 4.7 sd n^(-1/2) alpha^0.1.
double der_bandwidth(double sd, std::size_t n, double alpha);

/// Wolfson (1994, AER 84, 353) times the median:  W = (mean of the upper half - mean of the lower half) - 1/n^2 sum_ij
/// |x_i - x_j|.  Wolfson's index is 4 (mean / median) (1/2 - L(1/2) - Gini / 2) = W / median, L the Lorenz curve; an
/// opinion has no natural zero, so the division is left out. ascending: the opinions, ascending; a middle one belongs
/// to both halves by one half. Range [0, inf), a length. Two halves at distance d: d / 2; uniform on length L: L / 6.
double wolfson(std::span<const double> ascending);

/// Agreement A of van der Eijk (2001, Quality & Quantity 35, 325) of a distribution over ordered categories, as in the
/// R package agrmt: range [-1, 1], 1 all in one category, 0 evenly over all, -1 one half at each end. (1 - A) / 2 is
/// its polarization on [0, 1]: 0, 1/2, 1. The counts are cut into layers, in each of which a category is either full or
/// empty; a layer of S of K categories has the agreement U (1 - (S - 1) / (K - 1)), where
///   U = ((K - 2) TU - (K - 1) TDU) / ((K - 2) (TU + TDU)),  TU the triples of categories full-full-empty and
/// empty-full-full, TDU those full-empty-full (U = 1 if there is none of either); A is the mean over layers, weighted
/// by the agents in them. counts: agents in each category, >= 0; at least 3 categories and one agent.
double agreement(std::span<const Index> counts);
/// The same of shares or of sums of design weights: each >= 0 and finite.
double agreement(std::span<const double> masses);

/// How many values are in each of `categories` equal parts of [low, high]; values outside count in the nearest part.
std::vector<Index> category_counts(std::span<const double> values, double low, double high, Index categories);

/// All functions throw ArgumentError where an argument is out of its range.

}  // namespace fovea::opinion::measures
