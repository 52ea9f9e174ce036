#pragma once
/// A table of reference values, such as that of the image biomarker standardisation initiative.

#include <optional>
#include <string>
#include <vector>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

struct Reference {
  std::string tag;
  std::optional<double> value;  ///< empty: there was no consensus
  double tolerance = 0;
};

/// CSV with the columns `reference value`, `tolerance` and `tag`; separated by ';' or ','. Throws DataError.
std::vector<Reference> read_references(const std::string& path);

/// The decimal number of 3 significant digits that is nearest to the value.
double to_three_digits(double value);

/// What a comparison found: a value rounded to 3 significant digits may differ from the reference by the tolerance.
struct Comparison {
  std::size_t compared = 0, agreed = 0;
  std::size_t without_value = 0, not_computed = 0;  ///< references that were not compared
  std::vector<std::string> failures;                ///< a line each, with both numbers

  bool holds() const { return compared > 0 && agreed == compared && not_computed == 0; }
  /// The failures, what was not compared, and last "482 of 482 reference values agree".
  std::string text() const;
};
Comparison compared(const std::vector<Feature>& features, const std::vector<Reference>& references);

}  // namespace fovea::imaging::radiomics
