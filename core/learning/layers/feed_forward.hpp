#pragma once
/// The feed-forward part of a Transformer block.

#include "fovea/core/learning/layers/linear.hpp"

namespace fovea::learning {

enum class Activation { gelu, relu, tanh };

template <typename Real>
Variable<Real> activate(Variable<Real> x, Activation activation);

/// y = dropout(f(x A + a)) B + b (Vaswani et al. 2017, eq. 2, with GELU: Devlin et al. 2019). Parameters: NAME.in.*,
/// NAME.out.*.
template <typename Real>
class FeedForward {
 public:
  FeedForward(Parameters<Real>& parameters, const std::string& name, Index width, Index hidden, const Random& random,
              Activation activation = Activation::gelu, double dropout = 0);
  Variable<Real> operator()(Variable<Real> x) const;

 private:
  Linear<Real> in_, out_;
  Activation activation_;
  double dropout_;
};

}  // namespace fovea::learning
