#pragma once
/// A look into the weights of an attend() without an N x M matrix of them.

#include "fovea/core/attention/attend.hpp"

namespace fovea {

/// The weights of chosen queries (rows x M; keys of other sets have weight 0), recomputed from the scores.
template <typename Real>
Matrix<Real> attention_weights(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                               const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                               const std::vector<Index>& rows);

/// The weights summed over groups: entry (a, b) = sum over queries i of group a and keys j of group b of w_ij, divided
/// by the number of queries in group a, so each row sums to 1. Memory O(A B). For heat maps of many tokens and for the
/// share of attention that stays inside a camp.
template <typename Real>
Matrix<Real> attention_between_groups(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                      const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                                      const std::vector<Index>& query_group, Index query_groups,
                                      const std::vector<Index>& key_group, Index key_groups);

/// The largest weights of rectangles, for a heat map: one set's weights (N' x M') cut into rows x columns tiles, where
/// query i of the set is in tile row floor(i rows / N') and key j in column floor(j columns / M'). 1 <= rows <= N',
/// 1 <= columns <= M'. Memory O(rows columns + M).
template <typename Real>
Matrix<Real> attention_tiles(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                             Index set, Index rows, Index columns);

/// The keys that queries look at most, and how widely they look.
template <typename Real>
struct AttentionTop {
  Matrix<Index> keys;    ///< rows x count: largest weight first, of equal ones the lowest key; -1: no further weight
  Matrix<Real> weights;  ///< theirs; 0 where there is none
  Vector<Real> entropy;  ///< -sum_j w_ij log w_ij in nats, of 0 (one key) to log M; 0 where all keys are masked
};

/// `count` >= 1 of each of the named rows (empty: of all). Memory O(rows count). A row with a NaN: no keys, all NaN.
template <typename Real>
AttentionTop<Real> attention_top(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                 const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                                 Index count, const std::vector<Index>& rows = {});

}  // namespace fovea
