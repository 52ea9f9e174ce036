#pragma once
/// The measures of the table for opinions on a line with a weight each, as surveys have them.

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

struct LineSettings {
  double scale_low = -1, scale_high = 1;  ///< the ends of the scale that agreement cuts into categories
  Index categories = 7;
  double der_alpha = 0.5, der_bandwidth = 0;  ///< bandwidth > 0, a length: the same for all that are compared
  double camp_gap = 0.1;                      ///< see find_camps()
  double least_share = 0.01, esteban_ray_alpha = 1.3;
  Index parts = 7;  ///< of the scale, in which overlap counts the answers
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
