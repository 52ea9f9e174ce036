#pragma once
/// Whether two results are the same, and where not.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// One variable that differs.
struct Difference {
  enum class Kind { only_in_first, only_in_second, type, shape, values };
  std::string variable;
  Kind kind = Kind::values;
  // For Kind::values:
  std::size_t count = 0;                 ///< of values that differ by more than is allowed
  std::size_t missing = 0;               ///< of those, with one side NaN or infinite
  double max_absolute = 0;               ///< largest |a - b| of the others
  double max_relative = 0;               ///< largest |a - b| / max(|a|, |b|), likewise
  std::vector<std::size_t> first_index;  ///< place of the first, in the order of the dimensions
  std::string first_a, first_b;          ///< the values there; Kind::shape: what differs, "agent 100", "agent 300"
  std::string text() const;              ///< one line for the reader
};

/// The variables in which a and b differ, those of a first. Numbers agree when |a - b| <= atol + rtol * max(|a|, |b|);
/// with 0 and 0 they must be equal (-0 = 0). NaN agrees with NaN, an infinity with itself. Texts, whole numbers and
/// flags must be equal. Attributes and documents are not compared; content_hash() sees those too.
std::vector<Difference> compare_datasets(const Dataset& a, const Dataset& b, double rtol, double atol);

}  // namespace fovea
