#pragma once
/// An interval as one cell of a table.

#include <cmath>
#include <string>
#include <vector>

#include "fovea/core/base/words.hpp"

namespace fovea::ehr::record {

/// "[0.31, 0.41]"; "" where an end is NaN.
inline std::string interval_text(double low, double high, int digits = 3) {
  if (std::isnan(low) || std::isnan(high)) return "";
  return '[' + plain_text(low, digits) + ", " + plain_text(high, digits) + ']';
}

inline std::vector<std::string> interval_texts(const std::vector<double>& low, const std::vector<double>& high) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < low.size(); ++i) texts.push_back(interval_text(low[i], high[i]));
  return texts;
}

}  // namespace fovea::ehr::record
