#pragma once
/// The tables of operations and layers: one line each. Tests walk them, so a new entry is tested without being named.
///
/// To add an operation: write operations/<name>.cpp with the function and <name>_entry(), declare the function in
/// operations.hpp (or losses.hpp) with its equation and source, and add one line to operations/table.inl, in
/// alphabetical order. A layer likewise, in layers/.

#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// Input of an operation's example: `tokens` rows in packed sets.
struct OperationExample {
  std::vector<Index> offsets;  ///< of the sets: sizes 0 and 1 occur
  Index tokens() const { return offsets.back(); }
};

template <typename Real>
struct OperationEntry {
  std::string_view name;     ///< that of the function
  std::string_view formula;  ///< for people
  std::string_view source;   ///< author and year; empty: common knowledge
  /// Numbers to try it on, off every kink and pole; those of tokens have example.tokens() rows.
  std::vector<Matrix<Real>> (*inputs)(const OperationExample& example);
  Variable<Real> (*apply)(std::span<const Variable<Real>> inputs, const OperationExample& example);
  /// Whether row i of the result depends on row i of the inputs with tokens() rows alone, and is the same in any batch.
  bool by_rows = true;
};

/// Alphabetical. Real is float or double.
template <typename Real>
std::span<const OperationEntry<Real>> operations();

}  // namespace fovea::learning
