#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// a + factor b
template <typename Real>
Variable<Real> weighted_sum(Variable<Real> a, Variable<Real> b, Real factor) {
  Variable<Real> y = a.tape().result(a.rows(), a.columns(), {a, b});
  learning_kernels<Real>().combine(a.data(), b.data(), factor, y.size(), y.data());
  a.tape().on_backward(y, [=] {
    pass_gradient(y, a);
    pass_gradient(y, b, factor);
  });
  return y;
}

}  // namespace

template <typename Real>
Variable<Real> add(Variable<Real> a, Variable<Real> b) {
  check_same_shape("add", a, b);
  return weighted_sum(a, b, Real(1));
}

template <typename Real>
Variable<Real> subtract(Variable<Real> a, Variable<Real> b) {
  check_same_shape("subtract", a, b);
  return weighted_sum(a, b, Real(-1));
}

template <typename Real>
Variable<Real> add_row(Variable<Real> x, Variable<Real> row) {
  check_row("add_row", "row", x, row);
  Variable<Real> y = x.tape().result(x.rows(), x.columns(), {x, row});
  learning_kernels<Real>().add_row(x.data(), row.data(), x.rows(), x.columns(), y.data());
  x.tape().on_backward(y, [=] {
    pass_gradient(y, x);
    if (row.learns()) learning_kernels<Real>().add_column_sums(y.gradient(), x.rows(), x.columns(), row.gradient());
  });
  return y;
}

template <typename Real>
OperationEntry<Real> add_entry() {
  return {"add", "a + b", "", &two_examples<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return add(in[0], in[1]); }};
}

template <typename Real>
OperationEntry<Real> subtract_entry() {
  return {"subtract", "a - b", "", &two_examples<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return subtract(in[0], in[1]); }};
}

template <typename Real>
OperationEntry<Real> add_row_entry() {
  return {"add_row", "x_i + row", "", &row_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample&) { return add_row(in[0], in[1]); }};
}

#define FOVEA_SUMS(Real)                                            \
  template Variable<Real> add(Variable<Real>, Variable<Real>);      \
  template Variable<Real> subtract(Variable<Real>, Variable<Real>); \
  template Variable<Real> add_row(Variable<Real>, Variable<Real>);
FOVEA_SUMS(float)
FOVEA_SUMS(double)
FOVEA_OPERATION_ENTRY(add)
FOVEA_OPERATION_ENTRY(add_row)
FOVEA_OPERATION_ENTRY(subtract)

}  // namespace fovea::learning
