#include "fovea/core/learning/layers/linear.hpp"

#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

template <typename Real>
Linear<Real>::Linear(Parameters<Real>& parameters, const std::string& name, Index inputs, Index outputs,
                     const Random& random, Bias bias)
    : weight_(parameters.add(name + ".weight", glorot_start<Real>(inputs, outputs, random, name + ".weight"))),
      has_bias_(bias == Bias::yes) {
  if (has_bias_) bias_ = parameters.add(name + ".bias", Matrix<Real>::Zero(1, outputs), Decay::no);
}

template <typename Real>
Variable<Real> Linear<Real>::operator()(Variable<Real> x) const {
  Tape<Real>& tape = x.tape();
  if (!has_bias_) return linear(x, tape.parameter(weight_));
  return linear(x, tape.parameter(weight_), tape.parameter(bias_));
}

template <typename Real>
LayerEntry<Real> linear_layer_entry() {
  return {"linear", "x W + b", "", 6, [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return [layer = Linear<Real>(parameters, "linear", 6, 5, random)](Variable<Real> x, const Tokens&) {
              return layer(x);
            };
          }};
}

template class Linear<float>;
template class Linear<double>;
FOVEA_LAYER_ENTRY(linear_layer)

}  // namespace fovea::learning
