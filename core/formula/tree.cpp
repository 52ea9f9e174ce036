#include "fovea/core/formula/tree.hpp"

#include <cmath>
#include <cstring>

namespace fovea::formula {

namespace {

constexpr double kMostFactors = 64;  // a whole power up to this is a product

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.operation == b.operation && a.parts == b.parts && a.variable == b.variable &&
         std::memcmp(&a.number, &b.number, sizeof a.number) == 0;
}

}  // namespace

int Tree::known(const Node& node) {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (same(nodes_[k], node)) return static_cast<int>(k);
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

int Tree::number(double value) {
  Node node;
  node.number = value;
  return known(node);
}

int Tree::variable(int index, const FormulaVariable& variable) {
  if (variable.varies == Varies::never) return number(variable.value);
  Node node;
  node.kind = Node::Kind::variable;
  node.variable = index;
  node.each = variable.varies == Varies::each;
  return known(node);
}

bool Tree::is(int node, double value) const {
  const Node& it = nodes_[node];
  return it.kind == Node::Kind::number && it.number == value;
}

/// x^2 = x x, x^3 = x x x, ..., x^-2 = 1 / (x x); -1: no product.
int Tree::power(int a, double exponent) {
  if (exponent == 0.5) return apply(Operation::square_root, a);
  if (exponent < 0 && exponent >= -kMostFactors && std::floor(exponent) == exponent)
    return apply(Operation::divide, number(1), power(a, -exponent));
  if (exponent < 1 || exponent > kMostFactors || std::floor(exponent) != exponent) return -1;
  if (exponent == 1) return a;
  const int half = power(a, std::floor(exponent / 2));
  const int even = apply(Operation::multiply, half, half);
  return std::floor(exponent / 2) * 2 == exponent ? even : apply(Operation::multiply, even, a);
}

/// What needs no operation; -1 where it needs one.
int Tree::simpler(Operation operation, int a, int b, int c) {
  switch (operation) {
    case Operation::add:
      return is(a, 0) ? b : is(b, 0) ? a : -1;
    case Operation::subtract:
      return is(b, 0) ? a : -1;
    case Operation::multiply:
      if (is(a, 0) || is(b, 0)) return number(0);
      return is(a, 1) ? b : is(b, 1) ? a : -1;
    case Operation::divide:
      return is(b, 1) ? a : -1;
    case Operation::power: {
      const Node exponent = nodes_[b];
      return exponent.kind == Node::Kind::number ? power(a, exponent.number) : -1;
    }
    case Operation::choose: {
      const Node& condition = nodes_[a];
      if (condition.kind != Node::Kind::number) return -1;
      return condition.number != 0 ? b : c;
    }
    default:
      return -1;
  }
}

int Tree::apply(Operation operation, int a, int b, int c) {
  Node node;
  node.kind = Node::Kind::operation;
  node.operation = operation;
  node.parts = {a, b, c};
  const int less = simpler(operation, a, b, c);
  if (less >= 0) return less;
  std::array<Operand, 3> operands;
  bool numbers = true;
  for (std::size_t p = 0; p < 3 && node.parts[p] >= 0; ++p) {
    const Node& part = nodes_[node.parts[p]];
    node.each = node.each || part.each;
    numbers = numbers && part.kind == Node::Kind::number;
    operands[p] = {&part.number, false};
  }
  if (numbers) {
    double value = 0;
    formula::apply(operation, operands, 1, &value);
    return number(value);
  }
  return known(node);
}

std::vector<Node> Tree::needed(int root) const {
  std::vector<bool> needed(nodes_.size(), false);
  needed[root] = true;
  for (std::size_t k = static_cast<std::size_t>(root) + 1; k-- > 0;)
    for (const int part : nodes_[k].parts)
      if (needed[k] && part >= 0) needed[part] = true;
  std::vector<int> place(nodes_.size(), -1);
  std::vector<Node> kept;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(root); ++k) {
    if (!needed[k]) continue;
    place[k] = static_cast<int>(kept.size());
    kept.push_back(nodes_[k]);
    for (int& part : kept.back().parts)
      if (part >= 0) part = place[part];
  }
  return kept;
}

}  // namespace fovea::formula
