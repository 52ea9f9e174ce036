#pragma once
/// An expression that a user writes, such as "exp(-d^2 / (2 * T))": parsed once, evaluated over many numbers at a time.
///
///   c ? a : b     || && !     < <= > >= == !=     + -     * /     -a +a     a ^ b (from the right: 2^3^2 = 2^9)
///
/// from the weakest to the strongest; comparisons and logic give 1 or 0, and what is not 0 is true. Numbers are written
/// with a decimal point; constants are pi and inf; functions are those of formula_functions(). There is no assignment.
/// 0 * a is 0 whatever a is, and c ? a : b computes both sides.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

enum class Varies {
  each,  ///< one number for each element
  call,  ///< one number for all elements of a call
  never  ///< a number that is known when the formula is parsed
};

struct FormulaVariable {
  std::string name;
  Varies varies = Varies::each;
  double value = 0;  ///< where it never varies
};

struct FormulaFunction {
  std::string_view name;
  int arguments;
  std::string_view meaning;
};
/// Alphabetical.
std::span<const FormulaFunction> formula_functions();

/// Whether a word can name a variable: letters, digits and underscores, no digit first, and neither a function nor a
/// constant.
bool can_name_variable(std::string_view word);

struct FormulaProgram;

/// Room for the parts of a formula; each thread needs its own, and any formula may use it.
struct FormulaRoom {
  std::vector<double> scalars, registers;
};

class Formula {
 public:
  /// Throws ArgumentError, whose text says what is wrong and at which character (counted from 1).
  Formula(std::string_view text, const std::vector<FormulaVariable>& variables);

  const std::string& text() const { return text_; }
  bool mentions(std::string_view variable) const;  ///< whether the text has it
  bool reads(std::string_view variable) const;     ///< whether the result can depend on it: not in 0 * u
  /// Its value where it depends on no variable but such as never vary; NaN else.
  double constant() const;

  /// out[k], k < count. inputs: one pointer for each variable, in their order: to `count` numbers where it varies with
  /// each, to one number where it varies with the call; those that are not read may be nullptr. out is none of them.
  void evaluate(std::span<const double* const> inputs, Index count, FormulaRoom& room, double* out) const;

 private:
  std::string text_;
  std::vector<std::string> mentioned_, read_;
  std::shared_ptr<const FormulaProgram> program_;
};

}  // namespace fovea
