#include <algorithm>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// A block of columns inside a wider matrix.
template <typename Real>
struct Strip {
  Real* data;
  Index stride;
};

/// to [+]= from
template <typename Real>
void copy_strip(Strip<const Real> from, Index rows, Index columns, bool add, Strip<Real> to) {
  constexpr Index kNarrow = 4;  // not worth a call a row
  if (columns <= kNarrow) {
    for (Index i = 0; i < rows; ++i, from.data += from.stride, to.data += to.stride)
      for (Index c = 0; c < columns; ++c) to.data[c] = add ? to.data[c] + from.data[c] : from.data[c];
    return;
  }
  for (Index i = 0; i < rows; ++i, from.data += from.stride, to.data += to.stride)
    learning_kernels<Real>().add_scaled(from.data, Real(1), columns, add, to.data);
}

}  // namespace

template <typename Real>
Variable<Real> join_columns(std::span<const Variable<Real>> parts) {
  require(!parts.empty(), "join_columns: there are no parts; at least one is needed.");
  Tape<Real>& tape = parts[0].tape();
  const Index rows = parts[0].rows();
  Index width = 0;
  for (const Variable<Real>& part : parts) {
    require(part.rows() == rows, "join_columns: one part has ", part.rows(), " rows, the first ", rows,
            "; all must have as many.");
    width += part.columns();
  }
  auto* const kept = tape.scratch().template take<Variable<Real>>(static_cast<Index>(parts.size()));
  std::uninitialized_copy(parts.begin(), parts.end(), kept);
  const std::span<const Variable<Real>> mine(kept, parts.size());
  Variable<Real> y = tape.result(rows, width, parts);
  Index first = 0;
  for (const Variable<Real>& part : mine) {
    copy_strip<Real>({part.data(), part.columns()}, rows, part.columns(), false, {y.data() + first, width});
    first += part.columns();
  }
  tape.on_backward(y, [=] {
    Index begin = 0;
    for (const Variable<Real>& part : mine) {
      if (part.learns()) {
        const auto [to, add] = gradient_place(part);
        copy_strip<Real>({y.gradient() + begin, width}, rows, part.columns(), add, {to, part.columns()});
      }
      begin += part.columns();
    }
  });
  return y;
}

template <typename Real>
Variable<Real> take_columns(Variable<Real> x, Index first, Index count) {
  require(first >= 0 && count >= 0 && first + count <= x.columns(), "take_columns: columns ", first, " to ",
          first + count, " of ", x.columns(), "; they must be among them.");
  Variable<Real> y = x.tape().result(x.rows(), count, {x});
  copy_strip<Real>({x.data() + first, x.columns()}, x.rows(), count, false, {y.data(), count});
  x.tape().on_backward(y, [=] {
    copy_strip<Real>({y.gradient(), count}, x.rows(), count, true, {x.gradient() + first, x.columns()});
  });
  return y;
}

template <typename Real>
OperationEntry<Real> join_columns_entry() {
  return {"join_columns", "[a | b | ...]", "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 3, 1),
                                             example_matrix<Real>(example.tokens(), kExampleColumns, 2),
                                             example_matrix<Real>(example.tokens(), 1, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) { return join_columns(in); }};
}

template <typename Real>
OperationEntry<Real> take_columns_entry() {
  return {"take_columns", "columns [first, first + count)", "", &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return take_columns(in[0], 2, 6); }};
}

#define FOVEA_COLUMNS(Real)                                              \
  template Variable<Real> join_columns(std::span<const Variable<Real>>); \
  template Variable<Real> take_columns(Variable<Real>, Index, Index);
FOVEA_COLUMNS(float)
FOVEA_COLUMNS(double)
FOVEA_OPERATION_ENTRY(join_columns)
FOVEA_OPERATION_ENTRY(take_columns)

}  // namespace fovea::learning
