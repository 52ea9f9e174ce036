#pragma once
/// Forward for the normalisers that see whole rows. Internal to core/attention.

#include "fovea/core/attention/engine/walk.hpp"

namespace fovea {

/// O_i = kept_i O_i + sum_j w_ij v_j for a tile of weights; rows of `outputs` are whole_lanes(columns) apart. kept:
/// nullptr for all 1.
template <typename Real>
void add_values(const ScoreTile<Real>& weights, RightOperand<Real> values, Index columns, const Real* kept,
                Real* outputs);

/// A block of queries: all scores of some of them first, then their weights and outputs. The memory of a thread grows
/// with kTileQueries x M.
template <typename Real>
void whole_row_block(const PackedKeys<Real>& packed, const MatrixView<Real>& values, const RowBlock& block,
                     AttentionResult<Real>& result);

}  // namespace fovea
