#pragma once
/// The values of headlines as people and programs read them: one for each place of a sweep, averaged over seeds.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// One value of a headline: where it stands in the sweep, what it is, what was predicted.
struct HeadlineValue {
  std::string place;  ///< "branch = cooling, speed = 0.1"; empty where there is but one
  double value = 0;
  double error = 0;      ///< the larger of the standard error over seeds and the half width of its interval; NaN: none
  double predicted = 0;  ///< NaN: nothing
  bool least = false;    ///< a p-value that is the smallest which its draws can give

  std::string text() const;  ///< "0.00896 ± 0.00003", "<= 0.005"
};

/// In the order of the places; nothing where the data lack the variable. data: with_names().
std::vector<HeadlineValue> headline_values(const Dataset& data, const Headline& headline);

/// " opinion^2"; empty for a pure number.
std::string unit_text(const Dataset& data, const std::string& variable);

/// Headlines as a tidy table: a row for each value and place, with a column for each key of the places that differs.
///   headline, KEY..., value, error, predicted, unit, seeds, variable
/// Where a value only says "at most" (least_value.hpp) a column bound follows the value, "<=" there.
std::string headlines_csv(const Results& results);

}  // namespace fovea
