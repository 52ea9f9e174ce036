#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/pairs/pair_network.hpp"

namespace fovea::learning {

template <typename Real>
PairNetwork<Real>::PairNetwork(Parameters<Real>& parameters, const std::string& name,
                               const PairNetworkSettings<Real>& settings, const Random& random)
    : settings_(settings) {
  require(settings.features >= 1 && settings.heads >= 1, "pair_network: ", settings.features, " features and ",
          settings.heads, " heads; both must be at least 1.");
  std::vector<Index> widths{settings.features};
  widths.insert(widths.end(), settings.hidden.begin(), settings.hidden.end());
  widths.push_back(settings.heads);
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    const std::string layer = name + "." + std::to_string(l);
    Place place;
    place.weight =
        parameters.add(layer + ".weight", glorot_start<Real>(widths[l], widths[l + 1], random, layer + ".weight"));
    place.bias = parameters.add(layer + ".bias", Matrix<Real>::Zero(1, widths[l + 1]), Decay::no);
    if (settings.affine == PairAffine::all || (settings.affine == PairAffine::inputs && l == 0)) {
      place.gain = parameters.add(layer + ".gain", Matrix<Real>::Ones(1, widths[l]), Decay::no);
      place.shift = parameters.add(layer + ".shift", Matrix<Real>::Zero(1, widths[l]), Decay::no);
    }
    places_.push_back(place);
  }
}

// (gain x + shift) W + b = x (gain W) + (shift W + b): the pairs see one product
template <typename Real>
Variable<Real> PairNetwork<Real>::operator()(Tape<Real>& tape, const TokenPairs& pairs,
                                             const PairInputs<Real>& inputs) const {
  std::vector<PairLayer<Real>> layers;
  for (const Place& place : places_) {
    const Variable<Real> weight = tape.parameter(place.weight), bias = tape.parameter(place.bias);
    if (place.gain.size() == 0) {
      layers.push_back({weight, bias});
      continue;
    }
    const Variable<Real> column = reshape(tape.parameter(place.gain), place.gain.columns, 1);
    layers.push_back({multiply_column(weight, column), linear(tape.parameter(place.shift), weight, bias)});
  }
  return pair_network<Real>(pairs, inputs, layers, settings_.activation);
}

namespace {

template <typename Real>
BlockSettings<Real> pair_block() {
  BlockSettings<Real> settings;
  settings.attention.width = 6;
  settings.attention.heads = 2;
  settings.attention.modifiers = {weights_of_tokens<Real>(), pair_bias_of_pass<Real>()};
  settings.hidden = 7;
  return settings;
}

/// How far the tokens of a pair are apart, and the smaller weight of both.
template <typename Real>
PairFill<Real> example_fill(const Tokens& tokens) {
  return [&tokens](std::span<const TokenPair> pairs, Real* features, Index stride) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Index i = pairs[p].first, j = pairs[p].second;
      features[p] = static_cast<Real>(std::abs(tokens.times[i] - tokens.times[j]));
      features[stride + p] = static_cast<Real>(std::min(tokens.weights[i], tokens.weights[j]));
    }
  };
}

}  // namespace

/// Two blocks that share the biases of a pair network.
template <typename Real>
LayerEntry<Real> pair_network_layer_entry() {
  return {"pair_network", "f(f(x_ij W_1 + b_1) W_2 + b_2) W_3 + b_3, added to the scores", "Qu, Li, Qian 2022", 6,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            const PairNetworkSettings<Real> settings{2, {5, 4}, 2, Activation::tanh, PairAffine::all};
            return [network = PairNetwork<Real>(parameters, "pairs", settings, random),
                    first = TransformerBlock<Real>(parameters, "first", pair_block<Real>(), random),
                    second = TransformerBlock<Real>(parameters, "second", pair_block<Real>(), random)](
                       Variable<Real> x, const Tokens& tokens) {
              const Variable<Real> bias[] = {
                  network(x.tape(), TokenPairs::symmetric(tokens.offsets), {2, example_fill<Real>(tokens)})};
              return second(first(x, tokens, bias), tokens, bias);
            };
          }};
}

/// The nearest of each token and their learned biases; a class token is there, and sees all.
template <typename Real>
LayerEntry<Real> neighbours_alone_layer_entry() {
  return {"neighbours_alone", "attention to the nearest tokens alone, with a bias of each listed pair",
          "Plötz and Roth 2018", 6, [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            const Neighbourhood near{0, 2, false};
            BlockSettings<Real> settings = pair_block<Real>();
            settings.attention.modifiers = {neighbours_alone<Real>(near), listed_bias_of_pass<Real>(near)};
            const PairNetworkSettings<Real> net{2, {5}, 2};
            const ClassToken<Real> token(parameters, "class", 6, random);
            parameters.matrix(parameters.at("class.token").place) *= 50;  // far from the pole of a norm
            return [near, token, network = PairNetwork<Real>(parameters, "pairs", net, random),
                    block = TransformerBlock<Real>(parameters, "block", settings, random)](Variable<Real> x,
                                                                                           const Tokens& tokens) {
              const JoinedClasses<Real> joined = token(x, tokens);
              const Variable<Real> bias[] = {network(x.tape(), TokenPairs::listed(neighbours_of(*joined.tokens, near)),
                                                     {2, example_fill<Real>(*joined.tokens)})};
              return token.read(block(joined.x, *joined.tokens, bias), *joined.tokens);
            };
          }};
}

template class PairNetwork<float>;
template class PairNetwork<double>;
FOVEA_LAYER_ENTRY(neighbours_alone_layer)
FOVEA_LAYER_ENTRY(pair_network_layer)

}  // namespace fovea::learning
