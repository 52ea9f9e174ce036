#pragma once
/// p-values by drawing (permutations, shuffles, surrogates, simulated pairs), and the arrays that hold them.
///
///   p = sides (1 + draws at least as far) / (1 + draws), at most 1          (Davison & Hinkley 1997, eq. 4.11)
///
/// It cannot be below sides / (1 + draws). A p-value that is this least one says "at most", whatever the data, so it is
/// never shown as a number alone: sentences and tables of the command line have it by the functions here, and an array
/// carries what its least values are, so that every table, card and export marks the values that are one.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// sides: 2 where the smaller tail is doubled.
inline double drawn_p(std::size_t as_far, std::size_t draws, int sides = 1) {
  return std::min(1.0, sides * (1 + static_cast<double>(as_far)) / (1 + static_cast<double>(draws)));
}
inline double least_drawn_p(std::size_t draws, int sides = 1) { return drawn_p(0, draws, sides); }

/// Whether draws could give no smaller one; not where even that says nothing (1, as without draws).
inline bool is_least_p(double p, double least) { return p <= least * (1 + 1e-12) && least < 1; }

inline constexpr const char* kLeastP = "the smallest p-value that so many draws can give";

/// A bound in so many digits, rounded up.
inline std::string bound_text(double bound, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(bound)) - digits + 1);
  return plain_text(std::ceil(bound / unit - 1e-6) * unit, digits);
}

/// For cells: "<= 0.005", or the number.
inline std::string drawn_p_text(double p, double least, int digits = 2) {
  return is_least_p(p, least) ? "<= " + bound_text(least, digits) : plain_text(p, digits);
}
/// For sentences: "p <= 0.005" or "p = 0.02", and what is added behind: ", the smallest p-value ..." or nothing.
inline std::string drawn_p_words(double p, double least, int digits = 3) {
  return is_least_p(p, least) ? "p <= " + bound_text(least, digits) : "p = " + plain_text(p, digits);
}
inline std::string least_p_words(double p, double least) {
  return is_least_p(p, least) ? concat(", ", kLeastP) : std::string();
}

/// The array's least value; or one for each index of one of its dimensions. Kept as attributes.
void set_least(Variable& variable, double least);
void set_least(Variable& variable, const std::string& over, const std::vector<double>& least);

struct LeastValues {
  std::vector<double> least;  ///< none: no value is one
  std::string over;           ///< the dimension that they are for; empty: one for all

  /// Of a flat position among these dimensions; NaN where there is none.
  double at(const std::vector<std::string>& dimensions, const std::vector<std::size_t>& shape, std::size_t flat) const;
};
LeastValues least_values(const Variable& variable);

}  // namespace fovea
