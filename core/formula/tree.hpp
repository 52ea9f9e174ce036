#pragma once
/// A formula as operations on numbers and variables, each part once, parts that need no variable computed.

#include <array>
#include <span>
#include <vector>

#include "fovea/core/formula/formula.hpp"
#include "fovea/core/formula/loops.hpp"

namespace fovea::formula {

struct Node {
  enum class Kind { number, variable, operation };
  Kind kind = Kind::number;
  Operation operation = Operation::add;
  std::array<int, 3> parts{-1, -1, -1};  ///< nodes before this one; -1: none
  int variable = -1;
  double number = 0;
  bool each = false;  ///< whether it varies within a call
};

/// Grows from the parts to the whole. Functions return the number of a node.
class Tree {
 public:
  int number(double value);
  int variable(int index, const FormulaVariable& variable);
  int apply(Operation operation, int a, int b = -1, int c = -1);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// Only what `root` needs, which becomes the last node.
  std::vector<Node> needed(int root) const;

 private:
  int known(const Node& node);
  int simpler(Operation operation, int a, int b, int c);
  int power(int a, double exponent);
  bool is(int node, double value) const;
  std::vector<Node> nodes_;
};

}  // namespace fovea::formula
