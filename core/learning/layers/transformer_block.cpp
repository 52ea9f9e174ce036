#include "fovea/core/learning/layers/transformer_block.hpp"

#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/recompute.hpp"

namespace fovea::learning {

namespace {

constexpr Index kManyRows = 1792;

/// Rows that stay in the second cache with their hidden values: multiples of 64.
constexpr Index rows_at_once(Index width) { return width > 64 ? 192 : 448; }

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
      norm_of_query_(settings.norm_of_query),
      recompute_(settings.recompute),
      attention_norm_(parameters, name + ".attention_norm", settings.attention.width, settings.norm),
      attention_(parameters, name + ".attention", attention_of(settings), random),
      feed_forward_norm_(parameters, name + ".feed_forward_norm", settings.attention.width, settings.norm),
      feed_forward_(parameters, name + ".feed_forward", settings.attention.width,
                    settings.hidden > 0 ? settings.hidden : 4 * settings.attention.width, random, settings.activation,
                    settings.dropout, settings.norm_of_hidden ? std::optional(settings.norm) : std::nullopt) {
  require(settings.place == NormPlace::before || !(settings.norm_of_attention || settings.gain_of_residual),
          "transformer_block: a norm of the attention's result and gains of residuals need norms before each part; set "
          "place to before.");
  const Index width = settings.attention.width;
  if (settings.norm_of_attention) result_norm_.emplace(parameters, name + ".result_norm", width, settings.norm);
  if (settings.gain_of_residual)
    residual_gain_ = parameters.add(name + ".residual_gain", Matrix<Real>::Ones(1, width), Decay::no);
}

template <typename Real>
Variable<Real> TransformerBlock<Real>::operator()(Variable<Real> x, const Tokens& tokens,
                                                  std::span<const Variable<Real>> theta_of_pass,
                                                  const AttentionCall<Real>** call) const {
  const typename Tape<Real>::Mark mark = x.tape().mark();
  const bool learns = x.tape().learns() || x.learns() ||
                      std::any_of(theta_of_pass.begin(), theta_of_pass.end(), [](const auto& t) { return t.learns(); });
  const bool frees = !learns && x.rows() >= kManyRows;
  if (call) return whole(x, tokens, theta_of_pass, call, frees);  // a call is read later
  if (!frees && recompute_ != Recompute::block)
    return x.tape().forget(mark, whole(x, tokens, theta_of_pass, call, false));
  std::vector<Variable<Real>> inputs{x};
  inputs.insert(inputs.end(), theta_of_pass.begin(), theta_of_pass.end());
  return recomputed<Real>(inputs, [this, of = &tokens](std::span<const Variable<Real>> in) {
    return std::vector{whole(in[0], *of, in.subspan(1), nullptr, true)};
  })[0];
}

/// The block. by_rows: what treats each row by itself keeps nothing.
template <typename Real>
Variable<Real> TransformerBlock<Real>::whole(Variable<Real> x, const Tokens& tokens,
                                             std::span<const Variable<Real>> theta_of_pass,
                                             const AttentionCall<Real>** call, bool by_rows) const {
  if (!by_rows && recompute_ == Recompute::nothing) return finish(x, attention_(asked(x), tokens, theta_of_pass, call));
  const std::vector<Variable<Real>> projected = recomputed<Real>(
      {x}, [this](std::span<const Variable<Real>> in) { return attention_.projected(asked(in[0])); },
      rows_at_once(x.columns()));
  const Index columns = projected[1].columns() / 2;
  const Variable<Real> heads = attention_.heads(projected[0], {projected[1], 0, columns},
                                                {projected[1], columns, columns}, tokens, tokens, theta_of_pass, call);
  return recomputed<Real>(
      {x, heads},
      [this](std::span<const Variable<Real>> in) { return std::vector{finish(in[0], attention_.result(in[1]))}; },
      rows_at_once(x.columns()))[0];
}

template <typename Real>
Variable<Real> TransformerBlock<Real>::class_attention(Variable<Real> classes, Variable<Real> x, const Tokens& tokens,
                                                       const AttentionCall<Real>** call) const {
  const typename Tape<Real>::Mark mark = x.tape().mark();
  const JoinedClasses<Real> joined = join_classes(classes, x, tokens);
  const bool before = place_ == NormPlace::before;
  const Variable<Real> keys = before ? attention_norm_(joined.x) : joined.x;
  Tokens& alone = x.tape().template kept<Tokens>();
  alone = Tokens();
  for (Index b = 0; b <= tokens.sets(); ++b) alone.offsets.push_back(b);
  alone.class_tokens = 1;
  for (Index b = 0; b < tokens.sets() && !joined.tokens->times.empty(); ++b)
    alone.times.push_back(joined.tokens->times[joined.tokens->offsets[b]]);
  const Variable<Real> query = before && norm_of_query_ ? attention_norm_(classes) : classes;
  const Variable<Real> y = finish(classes, attention_(query, alone, keys, *joined.tokens, call));
  return call ? y : x.tape().forget(mark, y);
}

/// Both sums of the block and what stands between them.
template <typename Real>
Variable<Real> TransformerBlock<Real>::finish(Variable<Real> x, Variable<Real> attended) const {
  if (place_ == NormPlace::after) {
    const Variable<Real> h = attention_norm_(add(x, attended));
    return feed_forward_norm_(add(h, dropout(feed_forward_(h), dropout_)));
  }
  const Variable<Real> h = add(x, result_norm_ ? (*result_norm_)(attended) : attended);
  const Variable<Real> fed = dropout(feed_forward_(feed_forward_norm_(h)), dropout_);
  if (residual_gain_.size() == 0) return add(h, fed);
  return add(multiply_row(h, x.tape().parameter(residual_gain_)), fed);
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

/// A block with every norm and gain, without dropout, over which a class token then asks what it says.
template <typename Real>
LayerEntry<Real> class_attention_layer_entry() {
  return {"class_attention", "h = c + norm(attention(c, norm([c, x]))); gain h + feed_forward(norm(h))",
          "Touvron et al. 2021", 6, [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            BlockSettings<Real> settings;
            settings.attention.width = 6;
            settings.attention.heads = 2;
            settings.hidden = 8;
            settings.norm_of_attention = settings.norm_of_hidden = settings.gain_of_residual = true;
            settings.norm_of_query = false;
            const ClassToken<Real> token(parameters, "class", 6, random);
            parameters.matrix(parameters.at("class.token").place) *= 50;  // far from the pole of a norm
            return [token, block = TransformerBlock<Real>(parameters, "block", settings, random)](
                       Variable<Real> x, const Tokens& tokens) {
              return block.class_attention(token.rows(x.tape(), tokens.sets()), block(x, tokens), tokens);
            };
          }};
}

template class TransformerBlock<float>;
template class TransformerBlock<double>;
FOVEA_LAYER_ENTRY(class_attention_layer)
FOVEA_LAYER_ENTRY(transformer_block_layer)
FOVEA_LAYER_ENTRY(transformer_block_norm_after_layer)

}  // namespace fovea::learning
