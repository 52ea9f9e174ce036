#pragma once
/// Measures of polarization that look at the distribution of opinions alone: on a line, with a weight each, as surveys
/// have them. Functions throw ArgumentError where an argument is out of its range.

#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::measures {

/// A distribution on the line: different values, ascending, each with its mass > 0. The sum of the masses is free.
struct Masses {
  std::vector<double> value, mass;

  /// Values that ascend; those that are equal become one, masses of 0 are left out.
  void add(double next_value, double next_mass);
  double total() const;
};

/// Each value with the mass 1. ascending: the values, ascending.
Masses masses_of(std::span<const double> ascending);

/// Polarization of Duclos, Esteban and Ray (2004, Econometrica 72, eq. 3), not normalised:
///   P = integral f(x)^(1 + alpha) f(y) |x - y| dx dy,   estimated by  sum_i p_i f(x_i)^alpha sum_j p_j |x_i - x_j|
/// of the shares p, with a Gaussian kernel density f. Its unit is length^(1 - alpha). Users of incomes x divide them by
/// their mean first and P by 2; with opinions, whose mean may be 0, nothing is divided. alpha in [0.25, 1]; bandwidth
/// of the kernel > 0, or 0 for der_bandwidth() of as many agents as the masses sum to. Range [0, inf); 0 where all
/// agree. Uniform on an interval of length L: L^(1 - alpha) / 3. For densities: where the crowd is a few points, f and
/// so P grow as bandwidth^-alpha; esteban_ray() is for those. O(values).
double der(const Masses& masses, double alpha, double bandwidth = 0);

/// The rule of Duclos, Esteban and Ray for densities that are not far from normal:  h = 4.7 sd n^(-1/2) alpha^0.1.
double der_bandwidth(double sd, double n, double alpha);

/// Wolfson (1994, AER 84, 353) times the median:  W = (mean of the upper half - mean of the lower half) - sum_ij p_i
/// p_j |x_i - x_j|.  Wolfson's index is 4 (mean / median) (1/2 - L(1/2) - Gini / 2) = W / median, L the Lorenz curve;
/// an opinion has no natural zero, so the division is left out. Range [0, inf), a length. Two halves at distance d: d /
/// 2; uniform on length L: L / 6.
double wolfson(const Masses& masses);

/// Agreement A of van der Eijk (2001, Quality & Quantity 35, 325) of a distribution over ordered categories, as in the
/// R package agrmt: range [-1, 1], 1 all in one category, 0 evenly over all, -1 one half at each end. (1 - A) / 2 is
/// its polarization on [0, 1]: 0, 1/2, 1. The counts are cut into layers, in each of which a category is either full or
/// empty; a layer of S of K categories has the agreement U (1 - (S - 1) / (K - 1)), where
///   U = ((K - 2) TU - (K - 1) TDU) / ((K - 2) (TU + TDU)),  TU the triples of categories full-full-empty and
/// empty-full-full, TDU those full-empty-full (U = 1 if there is none of either); A is the mean over layers, weighted
/// by the agents in them. masses: of each category, >= 0; at
/// least 3 categories.
double agreement(std::span<const double> masses);

struct LineSettings {
  double scale_low = -1, scale_high = 1;  ///< the ends of the scale that agreement cuts into categories
  Index categories = 7;
  double der_alpha = 0.5, der_bandwidth = 0;  ///< bandwidth > 0, a length: the same for all that are compared
  double camp_gap = 0.1;                      ///< see find_camps()
  double least_share = 0.01, esteban_ray_alpha = 1.3;
  Index parts = 7;  ///< of the scale, in which overlap counts the answers
  /// The mass in each of so many equal parts of the scale; that outside is in the nearest.
  std::vector<double> held_in(Index parts_of_scale, const Masses& masses) const;
};

/// The names of those measures of the table that a column of opinions has, alphabetical: all that need no network, no
/// attention and no directions.
std::span<const std::string_view> line_measures();

/// Their values, in this order; each is that of the table (measure_table.hpp) where the masses are whole numbers of
/// agents; NaN where it is not defined, and all NaN without any mass. Shares in place of counts: so the masses may be
/// multiplied by any number. O(values), with camps also O(camps^2). Throws ArgumentError for settings out of range.
std::vector<double> measure_line(const Masses& masses, const LineSettings& settings);

/// The names of those measures of the table that compare sides, such as the voters of parties; alphabetical.
std::span<const std::string_view> side_measures();

/// Their values, in this order, between sides with a mass each; a side without any plays no part. Distances and overlap
/// are means over all pairs of sides, weighted by the product of their shares: over pairs of people of different sides.
/// NaN for fewer than two sides; eta_squared also where all answers are equal. O(values + sides^2 parts).
std::vector<double> measure_sides(std::span<const Masses> sides, const LineSettings& settings);

}  // namespace fovea::opinion::measures
