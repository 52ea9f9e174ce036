#pragma once
/// The Transformer block.

#include "fovea/core/learning/layers/feed_forward.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/layers/norm.hpp"

namespace fovea::learning {

/// Where the normalisation stands: before each part (Xiong et al. 2020) or after each sum (Vaswani et al. 2017).
enum class NormPlace { before, after };

template <typename Real>
struct BlockSettings {
  AttentionSettings<Real> attention;  ///< its width is the block's
  Index hidden = 0;                   ///< of the feed-forward part; 0: 4 width
  Activation activation = Activation::gelu;
  NormPlace place = NormPlace::before;
  NormKind norm = NormKind::layer;
  double dropout = 0;  ///< of each part's result and of the hidden activations
};

/// before: h = x + attention(norm(x)), y = h + feed_forward(norm(h));
/// after:  h = norm(x + attention(x)), y = norm(h + feed_forward(h)).
/// Parameters: NAME.attention.*, NAME.attention_norm.*, NAME.feed_forward.*, NAME.feed_forward_norm.*.
template <typename Real>
class TransformerBlock {
 public:
  TransformerBlock(Parameters<Real>& parameters, const std::string& name, const BlockSettings<Real>& settings,
                   const Random& random);
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens, const AttentionCall<Real>** call = nullptr) const;

 private:
  NormPlace place_;
  double dropout_;
  Norm<Real> attention_norm_;
  MultiHeadAttention<Real> attention_;
  Norm<Real> feed_forward_norm_;
  FeedForward<Real> feed_forward_;
};

}  // namespace fovea::learning
