#pragma once
/// The feed-forward part of a Transformer block.

#include <optional>
#include "fovea/core/learning/activation.hpp"

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/layers/norm.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> activate(Variable<Real> x, Activation activation);

/// y = dropout(f(x A + a)) B + b (Vaswani et al. 2017, eq. 2, with GELU: Devlin et al. 2019). Given hidden_norm, the
/// hidden activations are normalised before B (NormFormer: Shleifer, Weston, Ott 2021). Parameters: NAME.in.*,
/// NAME.out.*, NAME.norm.*.
template <typename Real>
class FeedForward {
 public:
  FeedForward(Parameters<Real>& parameters, const std::string& name, Index width, Index hidden, const Random& random,
              Activation activation = Activation::gelu, double dropout = 0, std::optional<NormKind> hidden_norm = {});
  Variable<Real> operator()(Variable<Real> x) const;

 private:
  Linear<Real> in_, out_;
  Activation activation_;
  double dropout_;
  std::optional<Norm<Real>> norm_;
};

}  // namespace fovea::learning
