#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> add(Variable<Real> a, Variable<Real> b) {
  check_same_shape("add", a, b);
  Variable<Real> y = a.tape().result(a.rows(), a.columns(), {a, b});
  y.value() = a.value() + b.value();
  a.tape().on_backward(y, [=] {
    pass_gradient(y, a);
    pass_gradient(y, b);
  });
  return y;
}

template <typename Real>
OperationEntry<Real> add_entry() {
  return {"add", "a + b", "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 3, 1),
                                             example_matrix<Real>(example.tokens(), 3, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) { return add(in[0], in[1]); }};
}

#define FOVEA_ADD(Real) template Variable<Real> add(Variable<Real>, Variable<Real>);
FOVEA_ADD(float)
FOVEA_ADD(double)
FOVEA_OPERATION_ENTRY(add)

}  // namespace fovea::learning
