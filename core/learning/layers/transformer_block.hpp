#pragma once
/// The Transformer block.

#include "fovea/core/learning/layers/class_token.hpp"
#include "fovea/core/learning/layers/feed_forward.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/layers/norm.hpp"

namespace fovea::learning {

/// Where the normalisation stands: before each part (Xiong et al. 2020) or after each sum (Vaswani et al. 2017).
enum class NormPlace { before, after };

/// What backward() computes again instead of finding it in memory (recompute.hpp). Of a block of width C, hidden width
/// F and N tokens are kept, between its passes: all, about N (9 C + 2 F) numbers; rows, 5 N C (queries, keys, values,
/// heads and the result); block, N C. Results and gradients have the same bits, whichever it is.
enum class Recompute {
  nothing,
  rows,  ///< what treats each row by itself, a few hundred rows at a time
  block  ///< the whole block; the rows of one block as above
};

template <typename Real>
struct BlockSettings {
  AttentionSettings<Real> attention;  ///< its width is the block's
  Index hidden = 0;                   ///< of the feed-forward part; 0: 4 width
  Activation activation = Activation::gelu;
  NormPlace place = NormPlace::before;
  NormKind norm = NormKind::layer;
  double dropout = 0;  ///< of each part's result and of the hidden activations
  // NormFormer (Shleifer, Weston, Ott 2021) and the Particle Transformer (Qu, Li, Qian 2022), place = before:
  bool norm_of_attention = false;  ///< the result of the attention is normalised before it is added
  bool norm_of_hidden = false;     ///< so are the hidden activations of the feed-forward part
  bool gain_of_residual = false;   ///< h is multiplied by a learned gain a column before the second sum
  bool norm_of_query = true;       ///< class attention: whether the query is normalised like the keys
  Recompute recompute = Recompute::nothing;
};

/// before: h = x + attention(norm(x)), y = h + feed_forward(norm(h));
/// after:  h = norm(x + attention(x)), y = norm(h + feed_forward(h)).
/// Parameters: NAME.attention.*, NAME.attention_norm.*, NAME.feed_forward.*, NAME.feed_forward_norm.*,
/// NAME.result_norm.*, NAME.residual_gain.
template <typename Real>
class TransformerBlock {
 public:
  TransformerBlock(Parameters<Real>& parameters, const std::string& name, const BlockSettings<Real>& settings,
                   const Random& random);
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens, const AttentionCall<Real>** call = nullptr) const {
    return (*this)(x, tokens, {}, call);
  }
  /// theta_of_pass: as in MultiHeadAttention. call: its queries and keys are kept, so the block computes none of its
  /// attention again. Where it computes again, tokens must live until backward(). Of many tokens without gradients,
  /// nothing but the result is kept in any case.
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens, std::span<const Variable<Real>> theta_of_pass,
                            const AttentionCall<Real>** call = nullptr) const;
  /// Class attention (Touvron et al. 2021): row b of classes (B x C) asks itself and the tokens of set b, which stay as
  /// they are; the block's residuals and feed-forward part follow. B x C.
  Variable<Real> class_attention(Variable<Real> classes, Variable<Real> x, const Tokens& tokens,
                                 const AttentionCall<Real>** call = nullptr) const;

 private:
  Variable<Real> whole(Variable<Real> x, const Tokens& tokens, std::span<const Variable<Real>> theta_of_pass,
                       const AttentionCall<Real>** call, bool by_rows) const;
  Variable<Real> asked(Variable<Real> x) const { return place_ == NormPlace::before ? attention_norm_(x) : x; }
  Variable<Real> finish(Variable<Real> x, Variable<Real> attended) const;

  NormPlace place_;
  double dropout_;
  bool norm_of_query_;
  Recompute recompute_;
  Norm<Real> attention_norm_;
  MultiHeadAttention<Real> attention_;
  Norm<Real> feed_forward_norm_;
  FeedForward<Real> feed_forward_;
  std::optional<Norm<Real>> result_norm_;
  ParameterPlace residual_gain_;
};

}  // namespace fovea::learning
