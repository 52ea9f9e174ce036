#pragma once
/// From the text of a formula to its tree.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/formula/tree.hpp"

namespace fovea::formula {

struct Parsed {
  std::vector<Node> nodes;             ///< the last is the result
  std::vector<std::string> mentioned;  ///< names of variables in the text
};

/// Throws ArgumentError with the place of the mistake.
Parsed parse(std::string_view text, const std::vector<FormulaVariable>& variables);

}  // namespace fovea::formula
