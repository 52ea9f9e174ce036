#pragma once
/// A forest for a number (Breiman 2001), grown by XGBoost (Chen & Guestrin 2016).
///
///   answer = base + sum over trees of the value of the leaf that a row falls into
///
/// Every tree sees a share of the rows and, at each node, of the columns; leaves hold means, shrunk by the penalty,
/// over the number of trees. The trees are those of boosted_trees.hpp: BoostedTrees::log_odds() is then the answer, and
/// PackedTrees serves them.

#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::study {

struct BaggingSettings {
  Index trees = 200;           ///< >= 1
  Index leaves = 400;          ///< of a tree at most, >= 2
  double least_weight = 2;     ///< sum of the weights in a leaf, at least
  double penalty = 0.5;        ///< of squared leaf values, >= 0
  double row_share = 0.63;     ///< drawn for each tree, in (0, 1]
  double column_share = 0.33;  ///< drawn at each node, in (0, 1]
};

/// Trained on rows with finite targets; NaN is a missing value. weights: one a row, or none. The base is the weighted
/// mean of the targets. One thread: the same seed gives the same bits. Throws ArgumentError.
BoostedTrees bagged_trees(const Matrix<float>& rows, std::span<const float> targets, std::span<const float> weights,
                          const BaggingSettings& settings, std::uint64_t seed);

}  // namespace fovea::study
