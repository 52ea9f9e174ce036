#pragma once
/// A small network on the features of pairs of tokens, whose outputs are the biases of attention's heads.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/learning/activation.hpp"
#include "fovea/core/learning/layers/layer.hpp"
#include "fovea/core/learning/pairs/token_pairs.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// Writes feature f of pair p to features[f * stride + p]. Called by several threads at once, and again by backward():
/// what it reads must live until then.
template <typename Real>
using PairFill = std::function<void(std::span<const TokenPair> pairs, Real* features, Index stride)>;

/// Where features come from: a variable with a row for each pair (dL/d of which is passed on), or a function.
template <typename Real>
struct PairInputs {
  PairInputs(Variable<Real> rows) : variable(rows), columns(rows.columns()) {}
  PairInputs(Index features, PairFill<Real> function) : columns(features), fill(std::move(function)) {}
  std::optional<Variable<Real>> variable;
  Index columns;
  PairFill<Real> fill;
};

/// y = x W + b, W (in x out), b (1 x out)
template <typename Real>
struct PairLayer {
  Variable<Real> weight, bias;
};

/// b_h,e = f(...f(x W_1 + b_1)...) W_L + b_L, the pair bias of Qu, Li, Qian 2022 (Particle Transformer): 1 x (H
/// pairs.entries()), head after head, ready as theta of pair_bias() or listed_bias(); H are the outputs of the last
/// layer. Pairs go through all layers a few at a time, so hidden values are never in memory; backward() computes them
/// again.
template <typename Real>
Variable<Real> pair_network(const TokenPairs& pairs, const PairInputs<Real>& inputs,
                            std::span<const PairLayer<Real>> layers, Activation activation = Activation::gelu);

/// How features and hidden values are moved before they enter a layer.
enum class PairAffine { none, inputs, all };

template <typename Real>
struct PairNetworkSettings {
  Index features = 4;
  std::vector<Index> hidden{64, 64, 64};
  Index heads = 1;
  Activation activation = Activation::gelu;
  /// Columns become gain x + shift before the first or before each product, learned: what a batch norm is when its
  /// means and deviations are folded into it.
  PairAffine affine = PairAffine::none;
};

/// pair_network() with parameters NAME.0.weight, NAME.0.bias, NAME.1...; NAME.0.gain (start 1), NAME.0.shift (start 0).
template <typename Real>
class PairNetwork {
 public:
  PairNetwork(Parameters<Real>& parameters, const std::string& name, const PairNetworkSettings<Real>& settings,
              const Random& random);
  /// tape: that of the pass.
  Variable<Real> operator()(Tape<Real>& tape, const TokenPairs& pairs, const PairInputs<Real>& inputs) const;

 private:
  struct Place {
    ParameterPlace weight, bias, gain, shift;  ///< gain, shift: empty without an affine
  };
  PairNetworkSettings<Real> settings_;
  std::vector<Place> places_;
};

}  // namespace fovea::learning
