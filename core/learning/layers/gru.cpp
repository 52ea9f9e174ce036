#include "fovea/core/learning/layers/gru.hpp"

#include <cmath>

#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

template <typename Real>
Gru<Real>::Gru(Parameters<Real>& parameters, const std::string& name, Index inputs, Index width, const Random& random)
    : input_(parameters, name + ".input", inputs, 3 * width, random),
      weight_(parameters.add(name + ".state.weight",
                             uniform_start<Real>(width, 3 * width, 1 / std::sqrt(static_cast<double>(width)), random,
                                                 name + ".state.weight"))),
      bias_(parameters.add(name + ".state.bias", Matrix<Real>::Zero(1, 3 * width), Decay::no)) {}

template <typename Real>
Variable<Real> Gru<Real>::operator()(Variable<Real> x, const Tokens& tokens) const {
  Tape<Real>& tape = x.tape();
  return gru_states(input_(x), tape.parameter(weight_), tape.parameter(bias_), Offsets(tokens.offsets));
}

template <typename Real>
LayerEntry<Real> gru_layer_entry() {
  return {"gru", "h' = (1 - z) n + z h", "Cho et al. 2014", 3,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return Gru<Real>(parameters, "gru", 3, 4, random);
          }};
}

template class Gru<float>;
template class Gru<double>;
FOVEA_LAYER_ENTRY(gru_layer)

}  // namespace fovea::learning
