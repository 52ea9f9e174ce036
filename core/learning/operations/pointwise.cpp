#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// y = f(x); f'(x) is found on the way and kept, which is cheaper than to find it again.
template <typename Real>
Variable<Real> apply_pointwise(Variable<Real> x, typename LearningKernels<Real>::Pointwise function) {
  Variable<Real> y = x.tape().result(x.rows(), x.columns(), {x});
  Real* const slopes = y.learns() ? x.tape().room(x.size()) : nullptr;
  function(x.data(), x.size(), y.data(), slopes);
  x.tape().on_backward(y, [=] { pass_gradient(y, slopes, x); });
  return y;
}

}  // namespace

#define FOVEA_POINTWISE(name, formula, source, example)                                                         \
  template <typename Real>                                                                                      \
  Variable<Real> name(Variable<Real> x) {                                                                       \
    return apply_pointwise(x, learning_kernels<Real>().name);                                                   \
  }                                                                                                             \
  template <typename Real>                                                                                      \
  OperationEntry<Real> name##_entry() {                                                                         \
    return {#name, formula, source, &example<Real>,                                                             \
            [](std::span<const Variable<Real>> in, const OperationExample&) { return learning::name(in[0]); }}; \
  }                                                                                                             \
  template Variable<float> name(Variable<float>);                                                               \
  template Variable<double> name(Variable<double>);                                                             \
  FOVEA_OPERATION_ENTRY(name)

namespace {

template <typename Real>
std::vector<Matrix<Real>> positive_example(const OperationExample& example) {
  return {example_matrix<Real>(example.tokens(), kExampleColumns, 1, 0.25, 3)};
}

}  // namespace

FOVEA_POINTWISE(exp, "e^x", "", one_example)
FOVEA_POINTWISE(gelu, "x Phi(x), Phi the normal distribution", "Hendrycks & Gimpel 2016", one_example)
FOVEA_POINTWISE(log, "log x", "", positive_example)
FOVEA_POINTWISE(relu, "max(x, 0)", "", one_example)
FOVEA_POINTWISE(sigmoid, "1 / (1 + e^-x)", "", one_example)
FOVEA_POINTWISE(softplus, "log(1 + e^x)", "", one_example)
FOVEA_POINTWISE(tanh, "tanh x", "", one_example)

}  // namespace fovea::learning
