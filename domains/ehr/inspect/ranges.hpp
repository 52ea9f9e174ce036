#pragma once
/// What no living patient has: values beyond are mistakes of units, decimals or charting, such as a pH of 735.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::ehr::inspect {

/// Values outside [low, high] are impossible.
struct PhysiologicalRange {
  std::string_view name;  ///< lower case; other names of the same: a row each
  double low = 0, high = 0;
  std::string_view unit;
  std::string_view source;
};

/// Of a variable by its name, whatever its case, blanks and dashes as "_"; nothing for one that is not in the table.
std::optional<PhysiologicalRange> range_of(const std::string& variable);

/// The table.
const std::vector<PhysiologicalRange>& physiological_ranges();

}  // namespace fovea::ehr::inspect
