#include "fovea/core/formula/formula.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "fovea/core/formula/parser.hpp"

namespace fovea {

using formula::kBlock;
using formula::Node;
using formula::Operand;

/// The nodes in the order in which they are computed, and the register of each that varies within a call.
struct FormulaProgram {
  std::vector<Node> nodes;
  std::vector<int> registers;  ///< -1: none
  int register_count = 0;
};

namespace {

/// A register is free again behind the last operation that reads it.
void give_registers(FormulaProgram& program) {
  const std::size_t count = program.nodes.size();
  std::vector<std::size_t> last(count, count);  // the result stays
  for (std::size_t k = 0; k + 1 < count; ++k) last[k] = k;
  for (std::size_t k = 0; k < count; ++k)
    for (const int part : program.nodes[k].parts)
      if (part >= 0) last[part] = k;
  std::vector<int> free;
  program.registers.assign(count, -1);
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = program.nodes[k];
    if (!node.each || node.kind != Node::Kind::operation) continue;
    if (free.empty()) free.push_back(program.register_count++);
    program.registers[k] = free.back();
    free.pop_back();
    for (std::size_t part = 0; part < k; ++part)
      if (last[part] == k && program.registers[part] >= 0) free.push_back(program.registers[part]);
  }
}

Operand operand_of(const FormulaProgram& program, std::size_t k, std::span<const double* const> inputs, Index first,
                   FormulaRoom& room) {
  const Node& node = program.nodes[k];
  if (node.kind == Node::Kind::variable) return {inputs[node.variable] + (node.each ? first : 0), node.each};
  if (!node.each) return {&room.scalars[k], false};
  return {&room.registers[program.registers[k] * kBlock], true};
}

std::array<Operand, 3> operands_of(const FormulaProgram& program, const Node& node,
                                   std::span<const double* const> inputs, Index first, FormulaRoom& room) {
  std::array<Operand, 3> operands;
  for (std::size_t p = 0; p < 3 && node.parts[p] >= 0; ++p)
    operands[p] = operand_of(program, node.parts[p], inputs, first, room);
  return operands;
}

}  // namespace

Formula::Formula(std::string_view text, const std::vector<FormulaVariable>& variables) : text_(text) {
  formula::Parsed parsed = formula::parse(text, variables);
  mentioned_ = std::move(parsed.mentioned);
  FormulaProgram program;
  program.nodes = std::move(parsed.nodes);
  give_registers(program);
  for (const Node& node : program.nodes)
    if (node.kind == Node::Kind::variable) read_.push_back(variables[node.variable].name);
  program_ = std::make_shared<const FormulaProgram>(std::move(program));
}

bool Formula::mentions(std::string_view variable) const {
  return std::find(mentioned_.begin(), mentioned_.end(), variable) != mentioned_.end();
}

bool Formula::reads(std::string_view variable) const {
  return std::find(read_.begin(), read_.end(), variable) != read_.end();
}

double Formula::constant() const {
  const Node& root = program_->nodes.back();
  return root.kind == Node::Kind::number ? root.number : std::numeric_limits<double>::quiet_NaN();
}

void Formula::evaluate(std::span<const double* const> inputs, Index count, FormulaRoom& room, double* out) const {
  const FormulaProgram& program = *program_;
  const std::size_t nodes = program.nodes.size();
  if (room.scalars.size() < nodes) room.scalars.resize(nodes);
  const std::size_t registers = program.register_count * kBlock;
  if (room.registers.size() < registers) room.registers.resize(registers);
  for (std::size_t k = 0; k < nodes; ++k) {
    const Node& node = program.nodes[k];
    if (node.each || node.kind == Node::Kind::variable) continue;
    room.scalars[k] = node.number;
    if (node.kind == Node::Kind::operation)
      formula::apply(node.operation, operands_of(program, node, inputs, 0, room), 1, &room.scalars[k]);
  }
  for (Index first = 0; first < count; first += kBlock) {
    const Index size = std::min(kBlock, count - first);
    for (std::size_t k = 0; k < nodes; ++k) {
      const Node& node = program.nodes[k];
      if (!node.each || node.kind != Node::Kind::operation) continue;
      double* to = k + 1 == nodes ? out + first : &room.registers[program.registers[k] * kBlock];
      formula::apply(node.operation, operands_of(program, node, inputs, first, room), size, to);
    }
    const Node& root = program.nodes.back();
    if (root.each && root.kind == Node::Kind::operation) continue;
    const Operand result = operand_of(program, nodes - 1, inputs, first, room);
    if (result.each)
      std::copy_n(result.data, size, out + first);
    else
      std::fill_n(out + first, size, *result.data);
  }
}

}  // namespace fovea
