#pragma once
/// From the rows of a call to the rows that are compared, and the way back: modifiers may change keys, and the score
/// function may project, scale or normalise both sides. Internal to core/attention.

#include "fovea/core/attention/engine/problem.hpp"
#include "fovea/core/attention/engine/theta.hpp"
#include "fovea/core/kernels/packed.hpp"

namespace fovea {

/// The prepared keys of all heads. Where nothing changes them they are read where they stand.
template <typename Real>
class PreparedKeys {
 public:
  explicit PreparedKeys(const Problem<Real>& problem);
  /// Of one head; first = 0: the first key of the call.
  RowSource<Real> of(Index head) const;
  /// Whether the keys are others than those of the call.
  bool changed() const { return changed_; }
  /// Heads whose keys differ: what of() gives is the same for all heads with one number.
  Index copy_of(Index head) const { return by_query_head_ ? head : problem_.key_head(head); }
  Index copies() const { return by_query_head_ ? problem_.heads() : problem_.key_heads(); }

 private:
  const Problem<Real>& problem_;
  bool changed_ = false, by_query_head_ = false;
  Matrix<Real> prepared_;  ///< M x (copies * prepared columns)
};

/// The prepared queries [first, first + count) of one head, one after the other (prepared columns each).
template <typename Real>
void prepare_queries(const Problem<Real>& problem, Index head, Index first, Index count, Real* prepared);

/// gradient (count x prepared columns, `stride` apart): dL/d(prepared rows [first, first + count)) of one head. Adds
/// dL/dkeys (or dL/dqueries; all rows and heads) and dL/dtheta.
template <typename Real>
void prepare_keys_backward(const Problem<Real>& problem, Index head, Index first, Index count, const Real* gradient,
                           Index stride, GradientPlace<Real> keys, ThetaGradients<Real>& theta);
template <typename Real>
void prepare_queries_backward(const Problem<Real>& problem, Index head, Index first, Index count, const Real* gradient,
                              Index stride, GradientPlace<Real> queries, ThetaGradients<Real>& theta);

}  // namespace fovea
