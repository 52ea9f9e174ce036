#pragma once
/// The linear layer.

#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

enum class Bias { yes, no };

/// y = x W + b; W (inputs x outputs) starts as in Glorot & Bengio 2010, b at 0. Parameters: NAME.weight, NAME.bias.
template <typename Real>
class Linear {
 public:
  Linear(Parameters<Real>& parameters, const std::string& name, Index inputs, Index outputs, const Random& random,
         Bias bias = Bias::yes);
  Variable<Real> operator()(Variable<Real> x) const;

 private:
  ParameterPlace weight_, bias_;
  bool has_bias_;
};

}  // namespace fovea::learning
