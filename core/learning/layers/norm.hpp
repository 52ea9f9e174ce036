#pragma once
/// The two normalisations of rows, as layers.

#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

enum class NormKind { layer, rms };

/// layer_norm() or rms_norm() of operations.hpp with a learned gain (start 1) and shift (start 0; layer norm only).
/// Parameters: NAME.gain, NAME.shift.
template <typename Real>
class Norm {
 public:
  Norm(Parameters<Real>& parameters, const std::string& name, Index columns, NormKind kind = NormKind::layer);
  Variable<Real> operator()(Variable<Real> x) const;

 private:
  ParameterPlace gain_, shift_;
  NormKind kind_;
};

}  // namespace fovea::learning
