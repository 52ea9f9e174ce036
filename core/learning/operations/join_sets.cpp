#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// For each set: its rows of one of the parts stand together in the joined matrix. Calls f(row in the part, row in the
/// joined one, rows).
template <typename F>
void each_piece(Offsets part, Offsets before, F f) {
  for (std::size_t b = 0; b + 1 < part.size(); ++b) f(part[b], part[b] + before[b], part[b + 1] - part[b]);
}

/// dL/dpart, whose pieces stand behind `before` rows of the other part
template <typename Real>
void part_gradient(Variable<Real> y, Variable<Real> part, Offsets offsets, Offsets before) {
  if (!part.learns()) return;
  const auto [to, add] = gradient_place(part);
  const Index columns = y.columns();
  each_piece(offsets, before, [&, start = to, more = add](Index row, Index joined, Index rows) {
    learning_kernels<Real>().add_scaled(y.gradient() + joined * columns, Real(1), rows * columns, more,
                                        start + row * columns);
  });
}

template <typename Real>
void copy_part(Variable<Real> part, Offsets offsets, Offsets before, Variable<Real> y) {
  const Index columns = y.columns();
  each_piece(offsets, before, [&](Index row, Index joined, Index rows) {
    std::copy_n(part.data() + row * columns, rows * columns, y.data() + joined * columns);
  });
}

}  // namespace

template <typename Real>
Variable<Real> join_sets(Variable<Real> a, Offsets a_offsets, Variable<Real> b, Offsets b_offsets,
                         std::span<Index> joined) {
  const Index sets = check_offsets("join_sets", a.rows(), a_offsets);
  const Index others = check_offsets("join_sets", b.rows(), b_offsets);
  require(sets == others, "join_sets: one has ", sets, " sets, the other ", others, "; they must have as many.");
  require(a.columns() == b.columns(), "join_sets: one has ", a.columns(), " columns, the other ", b.columns(),
          "; they must have as many.");
  require(joined.size() == a_offsets.size(), "join_sets: there is room for ", joined.size(), " offsets, but there are ",
          a_offsets.size(), ".");
  for (std::size_t k = 0; k < joined.size(); ++k) joined[k] = a_offsets[k] + b_offsets[k];
  Variable<Real> y = a.tape().result(a.rows() + b.rows(), a.columns(), {a, b});
  const Offsets behind_a = a_offsets.subspan(1);  // a set of b stands behind the same set of a
  copy_part(a, a_offsets, b_offsets, y);
  copy_part(b, b_offsets, behind_a, y);
  a.tape().on_backward(y, [=] {
    part_gradient(y, a, a_offsets, b_offsets);
    part_gradient(y, b, b_offsets, behind_a);
  });
  return y;
}

template <typename Real>
OperationEntry<Real> join_sets_entry() {
  return {"join_sets",
          "sets of a, each followed by the same set of b",
          "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(static_cast<Index>(example.offsets.size()) - 1, 3, 1),
                                             example_matrix<Real>(example.tokens(), 3, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const std::size_t count = example.offsets.size();
            Tape<Real>& tape = in[0].tape();
            const std::span<Index> one_each(tape.index_room(static_cast<Index>(count)), count);
            for (std::size_t b = 0; b < count; ++b) one_each[b] = static_cast<Index>(b);
            const std::span<Index> joined(tape.index_room(static_cast<Index>(count)), count);
            return join_sets(in[0], one_each, in[1], example.offsets, joined);
          },
          false};
}

#define FOVEA_JOIN_SETS(Real) \
  template Variable<Real> join_sets(Variable<Real>, Offsets, Variable<Real>, Offsets, std::span<Index>);
FOVEA_JOIN_SETS(float)
FOVEA_JOIN_SETS(double)
FOVEA_OPERATION_ENTRY(join_sets)

}  // namespace fovea::learning
