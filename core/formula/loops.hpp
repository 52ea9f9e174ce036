#pragma once
/// The operations of formulas, each a loop over at most kBlock numbers.

#include <array>
#include <string_view>

#include "fovea/core/base/matrix.hpp"

namespace fovea::formula {

constexpr Index kBlock = 256;

enum class Operation {
  absolute,
  arctangent,
  cosine,
  exponential,
  floor,
  hyperbolic_tangent,
  logarithm,
  negative,
  negation,
  sign,
  sine,
  square_root,
  add,
  subtract,
  multiply,
  divide,
  power,
  smaller,
  larger,
  less,
  less_equal,
  equal,
  not_equal,
  both,
  either,
  choose  ///< three operands: condition, then, else
};

/// Numbers, or one number for all.
struct Operand {
  const double* data = nullptr;
  bool each = false;
};

/// out[k] = operation(a, b, c), k < count <= kBlock. b and c are read by operations that have them. out may be the data
/// of an operand.
void apply(Operation operation, const std::array<Operand, 3>& operands, Index count, double* out);

}  // namespace fovea::formula
