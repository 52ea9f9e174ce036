#pragma once
/// Multi-head attention with any list of modifiers.

#include <functional>
#include <memory>
#include <vector>

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

/// A modifier of a layer. make: gives it for the tokens of a pass (their sets, times, coordinates).
template <typename Real>
struct ModifierOfLayer {
  std::string name;  ///< of its parameter: LAYER.name
  std::function<std::shared_ptr<const ScoreModifier<Real>>(const Tokens& queries, const Tokens& keys)> make;
  std::vector<Real> start;  ///< of its theta, see modifiers.hpp; empty: it has none
  bool learned = true;      ///< false: theta stays at its start, and takes no gradient
  bool from_pass = false;   ///< theta is a variable of the pass, given at each call: several layers may share it
};

/// A modifier that does not ask about the tokens.
template <typename Real>
ModifierOfLayer<Real> same_for_all(std::string name, std::shared_ptr<const ScoreModifier<Real>> modifier,
                                   std::vector<Real> start = {}) {
  return {std::move(name), [modifier](const Tokens&, const Tokens&) { return modifier; }, std::move(start)};
}

template <typename Real>
struct AttentionSettings {
  Index width = 0;                                     ///< columns of queries and of the result
  Index key_width = 0;                                 ///< columns of what keys and values are made of; 0: width
  Index heads = 1;                                     ///< H
  Index head_columns = 0;                              ///< d of one head; 0: width / H
  std::shared_ptr<const ScoreFunction<Real>> score;    ///< empty: scaled dot product
  std::vector<Real> score_start;                       ///< of its theta
  std::vector<ModifierOfLayer<Real>> modifiers;        ///< causal for masked self-attention
  std::shared_ptr<const Normalizer<Real>> normalizer;  ///< empty: softmax
  double rotary_base = 0;  ///< above 0: queries and keys are turned by their positions (their times, where there are)
  double dropout = 0;      ///< of the result
  Bias bias = Bias::yes;
};

/// o = [head_1 | ... | head_H] O, head_h = attention(x_q Q_h, x_k K_h, x_k V_h) (Vaswani et al. 2017, section 3.2.2).
/// Parameters: NAME.query.*, NAME.key_value.* (keys first), NAME.out.*, NAME.score, NAME.<modifier>.
template <typename Real>
class MultiHeadAttention {
 public:
  MultiHeadAttention(Parameters<Real>& parameters, const std::string& name, const AttentionSettings<Real>& settings,
                     const Random& random);
  /// Self-attention within each set. call: as in attention().
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens, const AttentionCall<Real>** call = nullptr) const {
    return (*this)(x, tokens, x, tokens, {}, call);
  }
  /// theta_of_pass: one variable for each modifier that is from_pass, in their order.
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens, std::span<const Variable<Real>> theta_of_pass,
                            const AttentionCall<Real>** call = nullptr) const {
    return (*this)(x, tokens, x, tokens, theta_of_pass, call);
  }
  /// Cross-attention: set b of the queries looks at set b of the keys.
  Variable<Real> operator()(Variable<Real> queries, const Tokens& query_tokens, Variable<Real> keys,
                            const Tokens& key_tokens, const AttentionCall<Real>** call = nullptr) const {
    return (*this)(queries, query_tokens, keys, key_tokens, {}, call);
  }
  Variable<Real> operator()(Variable<Real> queries, const Tokens& query_tokens, Variable<Real> keys,
                            const Tokens& key_tokens, std::span<const Variable<Real>> theta_of_pass,
                            const AttentionCall<Real>** call = nullptr) const;

  // Its three steps, for whoever puts others between them; the first and the last treat each row by itself.

  /// x Q, and [x K | x V], of self-attention.
  std::vector<Variable<Real>> projected(Variable<Real> x) const;
  /// [head_1 | ... | head_H]
  Variable<Real> heads(const Columns<Real>& query, const Columns<Real>& key, const Columns<Real>& value,
                       const Tokens& query_tokens, const Tokens& key_tokens,
                       std::span<const Variable<Real>> theta_of_pass, const AttentionCall<Real>** call = nullptr) const;
  /// o of these, behind dropout.
  Variable<Real> result(Variable<Real> heads) const { return dropout(out_(heads), settings_.dropout); }

 private:
  Columns<Real> positioned(const Columns<Real>& projected, const Tokens& tokens) const;

  AttentionSettings<Real> settings_;
  Linear<Real> query_, key_value_, out_;
  ParameterPlace score_theta_;
  std::vector<ParameterPlace> modifier_theta_;
};

}  // namespace fovea::learning
