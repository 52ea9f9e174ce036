#pragma once
/// The attention engine as an operation of the tape.

#include <optional>
#include <span>
#include <vector>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// Some columns of a variable: queries, keys and values may be parts of one product.
template <typename Real>
struct Columns {
  Variable<Real> of;
  Index first = 0, count = 0;
  Columns(Variable<Real> all) : of(all), count(all.columns()) {}
  Columns(Variable<Real> all, Index from, Index columns) : of(all), first(from), count(columns) {}
  Eigen::Map<const Matrix<Real>, 0, Eigen::OuterStride<>> value() const {
    return {of.data() + first, of.rows(), count, Eigen::OuterStride<>(of.columns())};
  }
};

template <typename Real>
struct AttentionInputs {
  Columns<Real> queries, keys, values;
  const Variable<Real>* score_theta = nullptr;              ///< 1 x count; nullptr: that of the spec, not learned
  std::span<const Variable<Real>* const> modifier_theta{};  ///< one a modifier, nullptr as above; empty: none learned
};

/// One call of the engine: what attention_weights() and its relatives need. Valid until the tape's next begin().
template <typename Real>
struct AttentionCall {
  AttentionSpec<Real> spec;
  AttentionResult<Real> result;
  std::optional<Columns<Real>> queries, keys;  ///< what the engine saw: projected, and turned where a layer turns them
};

/// The weights of chosen queries of a call: rows x M, as attention_weights() of attend.hpp.
template <typename Real>
Matrix<Real> attention_weights(const AttentionCall<Real>& call, Index head, const std::vector<Index>& rows) {
  return fovea::attention_weights<Real>(call.queries->value(), call.keys->value(), call.spec, call.result, head, rows);
}

/// The engine (attend.hpp) as one operation: N x (H dv). call: where to find what it kept, if asked for.
template <typename Real>
Variable<Real> attention(const AttentionInputs<Real>& inputs, const AttentionSpec<Real>& spec,
                         const AttentionCall<Real>** call = nullptr);

}  // namespace fovea::learning
