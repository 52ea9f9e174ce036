#pragma once
/// Gradient boosted trees for two classes, several, or a number (Friedman 2001), trained by XGBoost (Chen & Guestrin
/// 2016).
///
///   log odds = base + sum over trees of the value of the leaf that a row falls into
///
/// Of several classes each has trees of its own, which give its logit; of a number the sum is the answer.

/// At a node a row goes left where its value is below the threshold, and the way that was better in training where the
/// value is not known. The trained trees are plain arrays; XGBoost is not needed to apply them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::study {

struct BoostingSettings {
  Index rounds = 500;                           ///< trees, >= 1
  double learning_rate = 0.025;                 ///< in (0, 1]
  Index leaves = 15;                            ///< of a tree at most, >= 2
  double least_weight = 5;                      ///< sum of p (1 - p) over the rows of a leaf, at least
  double penalty = 5;                           ///< of squared leaf values, >= 0
  double row_share = 0.8, column_share = 0.25;  ///< drawn for each tree, in (0, 1]
};

/// Nodes of all trees; the children of a node stand behind it.
struct BoostedTrees {
  double base = 0;                         ///< log odds of the training part, log share of a class, or mean
  Index columns = 0;                       ///< of a row
  std::vector<std::int64_t> roots;         ///< one a tree, ascending
  std::vector<std::int64_t> column;        ///< one a node: the column that is asked; -1: a leaf
  std::vector<float> value;                ///< the threshold, or what a leaf adds
  std::vector<std::int64_t> left, right;   ///< nodes; of a leaf 0
  std::vector<std::uint8_t> missing_left;  ///< 1: rows without a value go left

  double log_odds(const float* row) const;
};

/// Trained on rows with outcomes of 0 and 1, both of which occur; NaN is a missing value. One thread: the same seed
/// gives the same bits. Throws ArgumentError.
BoostedTrees boosted_trees(const Matrix<float>& rows, std::span<const float> outcomes, std::span<const float> weights,
                           const BoostingSettings& settings, std::uint64_t seed);

/// The same for several classes: outcomes are 0, 1, ..., classes - 1, and not all need occur; the trees of each class.
/// margins: logits from which they go on, of each class of each row, without a base then; none: the log shares.
std::vector<BoostedTrees> boosted_classes(const Matrix<float>& rows, std::span<const float> outcomes,
                                          std::span<const float> weights, Index classes,
                                          const BoostingSettings& settings, std::uint64_t seed,
                                          std::vector<float> margins = {});

/// The same for a number, by squared error; outcomes are finite.
BoostedTrees boosted_number(const Matrix<float>& rows, std::span<const float> outcomes, std::span<const float> weights,
                            const BoostingSettings& settings, std::uint64_t seed);

/// "" where the arrays are those of trees for so many columns, else what is wrong: lengths, a child that does not stand
/// behind its node, a column that rows do not have, a number that is not finite.
std::string fault_of(const BoostedTrees& trees, Index columns);

}  // namespace fovea::study
