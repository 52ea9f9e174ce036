#include "fovea/core/learning/layers/feed_forward.hpp"

#include "fovea/core/learning/kernels/learning_kernels.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> activate(Variable<Real> x, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return relu(x);
    case Activation::tanh:
      return tanh(x);
    default:
      return gelu(x);
  }
}

namespace {

/// f(x) in the place of x, which nobody else reads, unless it learns.
template <typename Real>
Variable<Real> activate_there(Variable<Real> x, Activation activation) {
  if (x.learns()) return activate(x, activation);
  const LearningKernels<Real>& kernel = learning_kernels<Real>();
  const auto function = activation == Activation::relu   ? kernel.relu
                        : activation == Activation::tanh ? kernel.tanh
                                                         : kernel.gelu;
  function(x.data(), x.size(), x.data(), nullptr);
  return x;
}

}  // namespace

template <typename Real>
FeedForward<Real>::FeedForward(Parameters<Real>& parameters, const std::string& name, Index width, Index hidden,
                               const Random& random, Activation activation, double dropout,
                               std::optional<NormKind> hidden_norm)
    : in_(parameters, name + ".in", width, hidden, random),
      out_(parameters, name + ".out", hidden, width, random),
      activation_(activation),
      dropout_(dropout) {
  if (hidden_norm) norm_.emplace(parameters, name + ".norm", hidden, *hidden_norm);
}

template <typename Real>
Variable<Real> FeedForward<Real>::operator()(Variable<Real> x) const {
  const Variable<Real> hidden = dropout(activate_there(in_(x), activation_), dropout_);
  return out_(norm_ ? (*norm_)(hidden) : hidden);
}

template <typename Real>
LayerEntry<Real> feed_forward_layer_entry() {
  return {"feed_forward", "gelu(x A + a) B + b", "Vaswani et al. 2017", 5,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return [layer = FeedForward<Real>(parameters, "feed_forward", 5, 7, random, Activation::gelu, 0.25)](
                       Variable<Real> x, const Tokens&) { return layer(x); };
          }};
}

template Variable<float> activate(Variable<float>, Activation);
template Variable<double> activate(Variable<double>, Activation);
template class FeedForward<float>;
template class FeedForward<double>;
FOVEA_LAYER_ENTRY(feed_forward_layer)

}  // namespace fovea::learning
