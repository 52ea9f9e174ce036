#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> reshape(Variable<Real> x, Index rows, Index columns) {
  require(rows >= 0 && columns >= 0 && rows * columns == x.size(), "reshape: ", x.rows(), " x ", x.columns(),
          " numbers as ", rows, " x ", columns, "; there must be as many.");
  const Variable<Real> y = x.tape().result_at(x.data(), rows, columns, std::span<const Variable<Real>>(&x, 1));
  x.tape().on_backward(y, [=] { pass_gradient(y, x); });
  return y;
}

template <typename Real>
OperationEntry<Real> reshape_entry() {
  return {"reshape",
          "the numbers of x in rows of another length",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return reshape(in[0], kExampleColumns, example.tokens());
          },
          false};
}

template Variable<float> reshape(Variable<float>, Index, Index);
template Variable<double> reshape(Variable<double>, Index, Index);
FOVEA_OPERATION_ENTRY(reshape)

}  // namespace fovea::learning
