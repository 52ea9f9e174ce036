#pragma once
/// The gated recurrent unit: the rival from before attention.

#include "fovea/core/learning/layers/linear.hpp"

namespace fovea::learning {

/// gru_states() of operations.hpp over each set, inputs projected by x W + b (Cho et al. 2014). Parameters:
/// NAME.input.*, NAME.state.weight, NAME.state.bias.
template <typename Real>
class Gru {
 public:
  Gru(Parameters<Real>& parameters, const std::string& name, Index inputs, Index width, const Random& random);
  /// Every state, N x width.
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens) const;

 private:
  Linear<Real> input_;
  ParameterPlace weight_, bias_;
};

}  // namespace fovea::learning
