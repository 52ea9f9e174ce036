#include "fovea/core/learning/layers/linear.hpp"

#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

/// The only matrix as wide as the data: a model that may not have so many numbers is refused before it takes them.
template <typename Real>
Matrix<Real> linear_start(const Parameters<Real>& parameters, const std::string& name, Index inputs, Index outputs,
                          const Random& random) {
  parameters.require_room(inputs * outputs);
  return glorot_start<Real>(inputs, outputs, random, name);
}

}  // namespace

template <typename Real>
Linear<Real>::Linear(Parameters<Real>& parameters, const std::string& name, Index inputs, Index outputs,
                     const Random& random, Bias bias)
    : weight_(parameters.add(name + ".weight", linear_start(parameters, name + ".weight", inputs, outputs, random))),
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
