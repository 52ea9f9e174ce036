#pragma once
/// The forward pass with products on bf16 tiles (Precision::split_bf16). Internal to core/attention.

#include "fovea/core/attention/engine/problem.hpp"

namespace fovea {

inline constexpr Index kSplitQueries = 32;       ///< queries of a tile of scores: two tiles of the processor
inline constexpr Index kSplitBlockQueries = 64;  ///< queries of a task
inline constexpr Index kSplitColumns = 16;       ///< fewer prepared columns fill no tile: computed in full
inline constexpr Index kSplitValueColumns = 8;   ///< likewise of the values

/// Whether the spec asks for split products and the problem has those that it speaks of.
bool split_applies(const Problem<float>& problem, const MatrixView<float>& values);

/// Fills a result whose matrices have their sizes. Softmax only, no lists.
void attend_split(const Problem<float>& problem, const MatrixView<float>& values, AttentionResult<float>& result);

}  // namespace fovea
