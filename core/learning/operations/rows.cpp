#include <algorithm>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

void check_list(std::string_view who, std::span<const Index> rows, Index count) {
  for (const Index row : rows)
    require(row >= -1 && row < count, who, ": row ", row, " of ", count, "; a row must be in [0, ", count,
            "), or -1 for none.");
}

/// to_i = from_(rows_i), or zeros; added where `add`.
template <typename Real>
void copy_listed(const Real* from, std::span<const Index> rows, Index columns, bool add, Real* to) {
  for (const Index row : rows) {
    if (row >= 0)
      learning_kernels<Real>().add_scaled(from + row * columns, Real(1), columns, add, to);
    else if (!add)
      std::fill_n(to, columns, Real(0));
    to += columns;
  }
}

/// to_(rows_i) += from_i
template <typename Real>
void add_listed(const Real* from, std::span<const Index> rows, Index columns, Real* to) {
  for (const Index row : rows) {
    if (row >= 0) learning_kernels<Real>().add_scaled(from, Real(1), columns, true, to + row * columns);
    from += columns;
  }
}

template <typename Real>
Variable<Real> gather_checked(Variable<Real> x, std::span<const Index> rows) {
  const Index columns = x.columns();
  Variable<Real> y = x.tape().result(static_cast<Index>(rows.size()), columns, {x});
  copy_listed(x.data(), rows, columns, false, y.data());
  x.tape().on_backward(y, [=] { add_listed(y.gradient(), rows, columns, x.gradient()); });
  return y;
}

}  // namespace

template <typename Real>
Variable<Real> gather_rows(Variable<Real> x, std::span<const Index> rows) {
  check_list("gather_rows", rows, x.rows());
  return gather_checked(x, rows);
}

template <typename Real>
Variable<Real> scatter_rows(Variable<Real> x, std::span<const Index> rows, Index count) {
  require(static_cast<Index>(rows.size()) == x.rows(), "scatter_rows: there are ", rows.size(), " places for ",
          x.rows(), " rows; each row needs one.");
  check_list("scatter_rows", rows, count);
  const Index columns = x.columns();
  Variable<Real> y = x.tape().result(count, columns, {x});
  std::fill_n(y.data(), y.size(), Real(0));
  add_listed(x.data(), rows, columns, y.data());
  x.tape().on_backward(y, [=] {
    const auto [to, add] = gradient_place(x);
    copy_listed(y.gradient(), rows, columns, add, to);
  });
  return y;
}

template <typename Real>
Variable<Real> spread_over_sets(Variable<Real> x, Offsets offsets) {
  const Index tokens = offsets.empty() ? 0 : offsets.back();
  const Index sets = check_offsets("spread_over_sets", tokens, offsets);
  require(sets == x.rows(), "spread_over_sets: there are ", sets, " sets, but ", x.rows(), " rows; each needs one.");
  Index* const rows = x.tape().index_room(tokens);
  for (Index b = 0; b < sets; ++b) std::fill(rows + offsets[b], rows + offsets[b + 1], b);
  return gather_checked(x, std::span<const Index>(rows, tokens));
}

namespace {

/// Numbers in [-1, count), some more than once.
template <typename Real>
std::span<const Index> example_rows(Tape<Real>& tape, Index length, Index count) {
  Index* const rows = tape.index_room(length);
  for (Index i = 0; i < length; ++i) rows[i] = (i * i + 3 * i) % (count + 1) - 1;
  return {rows, static_cast<std::size_t>(length)};
}

}  // namespace

template <typename Real>
OperationEntry<Real> gather_rows_entry() {
  return {"gather_rows",
          "x_(rows_i)",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            return gather_rows(in[0], example_rows(in[0].tape(), 14, in[0].rows()));
          },
          false};
}

template <typename Real>
OperationEntry<Real> scatter_rows_entry() {
  return {"scatter_rows",
          "sum of x_i with rows_i = r",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            return scatter_rows(in[0], example_rows(in[0].tape(), in[0].rows(), 6), 6);
          },
          false};
}

template <typename Real>
OperationEntry<Real> spread_over_sets_entry() {
  return {"spread_over_sets",
          "x_b for each token of set b",
          "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{
                example_matrix<Real>(static_cast<Index>(example.offsets.size()) - 1, kExampleColumns, 1)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return spread_over_sets(in[0], example.offsets);
          },
          false};
}

#define FOVEA_ROWS(Real)                                                               \
  template Variable<Real> gather_rows(Variable<Real>, std::span<const Index>);         \
  template Variable<Real> scatter_rows(Variable<Real>, std::span<const Index>, Index); \
  template Variable<Real> spread_over_sets(Variable<Real>, Offsets);
FOVEA_ROWS(float)
FOVEA_ROWS(double)
FOVEA_OPERATION_ENTRY(gather_rows)
FOVEA_OPERATION_ENTRY(scatter_rows)
FOVEA_OPERATION_ENTRY(spread_over_sets)

}  // namespace fovea::learning
