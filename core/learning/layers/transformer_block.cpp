#include "fovea/core/learning/layers/transformer_block.hpp"

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
AttentionSettings<Real> attention_of(const BlockSettings<Real>& settings) {
  AttentionSettings<Real> attention = settings.attention;
  attention.dropout = settings.dropout;
  return attention;
}

}  // namespace

template <typename Real>
TransformerBlock<Real>::TransformerBlock(Parameters<Real>& parameters, const std::string& name,
                                         const BlockSettings<Real>& settings, const Random& random)
    : place_(settings.place),
      dropout_(settings.dropout),
      attention_norm_(parameters, name + ".attention_norm", settings.attention.width, settings.norm),
      attention_(parameters, name + ".attention", attention_of(settings), random),
      feed_forward_norm_(parameters, name + ".feed_forward_norm", settings.attention.width, settings.norm),
      feed_forward_(parameters, name + ".feed_forward", settings.attention.width,
                    settings.hidden > 0 ? settings.hidden : 4 * settings.attention.width, random, settings.activation,
                    settings.dropout) {}

template <typename Real>
Variable<Real> TransformerBlock<Real>::operator()(Variable<Real> x, const Tokens& tokens,
                                                  const AttentionCall<Real>** call) const {
  if (place_ == NormPlace::before) {
    const Variable<Real> h = add(x, attention_(attention_norm_(x), tokens, call));
    return add(h, dropout(feed_forward_(feed_forward_norm_(h)), dropout_));
  }
  const Variable<Real> h = attention_norm_(add(x, attention_(x, tokens, call)));
  return feed_forward_norm_(add(h, dropout(feed_forward_(h), dropout_)));
}

namespace {

template <typename Real, NormPlace Place>
LayerFunction<Real> block_example(Parameters<Real>& parameters, const Random& random) {
  BlockSettings<Real> settings;
  settings.attention.width = 6;
  settings.attention.heads = 3;
  settings.attention.modifiers = {
      same_for_all<Real>("slopes", distance_bias<Real>(Sharing::per_head), {Real(-1), Real(0), Real(0.5)})};
  settings.hidden = 8;
  settings.place = Place;
  settings.dropout = 0.25;
  return [block = TransformerBlock<Real>(parameters, "block", settings, random)](
             Variable<Real> x, const Tokens& tokens) { return block(x, tokens); };
}

}  // namespace

template <typename Real>
LayerEntry<Real> transformer_block_layer_entry() {
  return {"transformer_block", "h = x + attention(norm(x)); h + feed_forward(norm(h))", "Xiong et al. 2020", 6,
          &block_example<Real, NormPlace::before>};
}

template <typename Real>
LayerEntry<Real> transformer_block_norm_after_layer_entry() {
  return {"transformer_block_norm_after", "h = norm(x + attention(x)); norm(h + feed_forward(h))",
          "Vaswani et al. 2017", 6, &block_example<Real, NormPlace::after>};
}

template class TransformerBlock<float>;
template class TransformerBlock<double>;
FOVEA_LAYER_ENTRY(transformer_block_layer)
FOVEA_LAYER_ENTRY(transformer_block_norm_after_layer)

}  // namespace fovea::learning
