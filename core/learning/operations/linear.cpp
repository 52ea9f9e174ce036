#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"
#include "fovea/core/learning/products.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
void check_linear(const Variable<Real>& x, const Variable<Real>& weight) {
  require(x.columns() == weight.rows(), "linear: x has ", x.columns(), " columns, but the weight is ", weight.rows(),
          " x ", weight.columns(), "; its rows must be as many as the columns of x.");
}

template <typename Real>
void linear_backward(Variable<Real> x, Variable<Real> weight, Variable<Real> y) {
  const Index n = x.rows(), in = x.columns(), out = y.columns();
  if (x.learns()) {
    const bool add = !x.first_gradient();
    multiply_transposed(y.gradient(), weight.data(), n, out, in, x.gradient_memory(), add);
  }
  if (weight.learns()) {
    const bool add = !weight.first_gradient();
    transposed_multiply(x.data(), y.gradient(), n, in, out, weight.gradient_memory(), add);
  }
}

}  // namespace

template <typename Real>
Variable<Real> linear(Variable<Real> x, Variable<Real> weight) {
  check_linear(x, weight);
  Variable<Real> y = x.tape().result(x.rows(), weight.columns(), {x, weight});
  multiply(x.data(), weight.data(), x.rows(), x.columns(), y.columns(), y.data(), false);
  x.tape().on_backward(y, [=] { linear_backward(x, weight, y); });
  return y;
}

template <typename Real>
Variable<Real> linear(Variable<Real> x, Variable<Real> weight, Variable<Real> bias) {
  check_linear(x, weight);
  require(bias.rows() == 1 && bias.columns() == weight.columns(), "linear: the bias is ", bias.rows(), " x ",
          bias.columns(), ", but must be 1 x ", weight.columns(), ".");
  Variable<Real> y = x.tape().result(x.rows(), weight.columns(), {x, weight, bias});
  multiply_from_row(x.data(), weight.data(), bias.data(), x.rows(), x.columns(), y.columns(), y.data());
  x.tape().on_backward(y, [=] {
    linear_backward(x, weight, y);
    if (bias.learns()) learning_kernels<Real>().add_column_sums(y.gradient(), y.rows(), y.columns(), bias.gradient());
  });
  return y;
}

template <typename Real>
OperationEntry<Real> linear_entry() {
  return {"linear", "x W + b", "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 5, 1),
                                             example_matrix<Real>(5, 19, 2), example_matrix<Real>(1, 19, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) { return linear(in[0], in[1], in[2]); }};
}

#define FOVEA_LINEAR(Real)                                        \
  template Variable<Real> linear(Variable<Real>, Variable<Real>); \
  template Variable<Real> linear(Variable<Real>, Variable<Real>, Variable<Real>);
FOVEA_LINEAR(float)
FOVEA_LINEAR(double)
FOVEA_OPERATION_ENTRY(linear)

}  // namespace fovea::learning
