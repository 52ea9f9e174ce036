#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> scale(Variable<Real> x, Real factor, Real shift) {
  Variable<Real> y = x.tape().result(x.rows(), x.columns(), {x});
  learning_kernels<Real>().scale(x.data(), factor, shift, y.size(), y.data());
  x.tape().on_backward(y, [=] { pass_gradient(y, x, factor); });
  return y;
}

template <typename Real>
OperationEntry<Real> scale_entry() {
  return {
      "scale", "factor x + shift", "", &one_example<Real>,
      [](std::span<const Variable<Real>> in, const OperationExample&) { return scale(in[0], Real(-1.75), Real(0.5)); }};
}

template Variable<float> scale(Variable<float>, float, float);
template Variable<double> scale(Variable<double>, double, double);
FOVEA_OPERATION_ENTRY(scale)

}  // namespace fovea::learning
