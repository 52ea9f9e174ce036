#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> multiply(Variable<Real> a, Variable<Real> b) {
  check_same_shape("multiply", a, b);
  Variable<Real> y = a.tape().result(a.rows(), a.columns(), {a, b});
  learning_kernels<Real>().multiply(a.data(), b.data(), y.size(), false, y.data());
  a.tape().on_backward(y, [=] {
    pass_gradient(y, b.data(), a);
    pass_gradient(y, a.data(), b);
  });
  return y;
}

template <typename Real>
Variable<Real> multiply_row(Variable<Real> x, Variable<Real> row) {
  check_row("multiply_row", "row", x, row);
  const auto& kernels = learning_kernels<Real>();
  Variable<Real> y = x.tape().result(x.rows(), x.columns(), {x, row});
  kernels.multiply_row(x.data(), row.data(), x.rows(), x.columns(), false, y.data());
  x.tape().on_backward(y, [=, &kernels] {
    if (x.learns()) {
      const auto [to, add] = gradient_place(x);
      kernels.multiply_row(y.gradient(), row.data(), x.rows(), x.columns(), add, to);
    }
    if (row.learns()) kernels.add_column_dots(y.gradient(), x.data(), x.rows(), x.columns(), row.gradient());
  });
  return y;
}

template <typename Real>
Variable<Real> multiply_column(Variable<Real> x, Variable<Real> column) {
  require(column.columns() == 1 && column.rows() == x.rows(), "multiply_column: the column is ", column.rows(), " x ",
          column.columns(), ", but must be ", x.rows(), " x 1.");
  const auto& kernels = learning_kernels<Real>();
  Variable<Real> y = x.tape().result(x.rows(), x.columns(), {x, column});
  kernels.multiply_column(x.data(), column.data(), x.rows(), x.columns(), false, y.data());
  x.tape().on_backward(y, [=, &kernels] {
    if (x.learns()) {
      const auto [to, add] = gradient_place(x);
      kernels.multiply_column(y.gradient(), column.data(), x.rows(), x.columns(), add, to);
    }
    if (column.learns()) {
      const auto [to, add] = gradient_place(column);
      kernels.row_dots(y.gradient(), x.data(), x.rows(), x.columns(), add, to);
    }
  });
  return y;
}

template <typename Real>
OperationEntry<Real> multiply_entry() {
  return {"multiply", "a b, entry by entry", "", &two_examples<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return multiply(in[0], in[1]); }};
}

template <typename Real>
OperationEntry<Real> multiply_row_entry() {
  return {"multiply_row", "x_ij row_j", "", &row_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return multiply_row(in[0], in[1]); }};
}

template <typename Real>
OperationEntry<Real> multiply_column_entry() {
  return {"multiply_column", "x_ij column_i", "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1),
                                             example_matrix<Real>(example.tokens(), 1, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) { return multiply_column(in[0], in[1]); }};
}

#define FOVEA_MULTIPLY(Real)                                            \
  template Variable<Real> multiply(Variable<Real>, Variable<Real>);     \
  template Variable<Real> multiply_row(Variable<Real>, Variable<Real>); \
  template Variable<Real> multiply_column(Variable<Real>, Variable<Real>);
FOVEA_MULTIPLY(float)
FOVEA_MULTIPLY(double)
FOVEA_OPERATION_ENTRY(multiply)
FOVEA_OPERATION_ENTRY(multiply_column)
FOVEA_OPERATION_ENTRY(multiply_row)

}  // namespace fovea::learning
