#pragma once
/// Boosted trees as rows walk through them: many rows a tree, so that a tree stays in the first cache, and without a
/// branch at a node.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::study {

class PackedTrees {
 public:
  /// trees: sound (fault_of()).
  explicit PackedTrees(const BoostedTrees& trees);

  /// BoostedTrees::log_odds() of each row, bit for bit: sums has an entry a row.
  void log_odds(const Matrix<float>& rows, std::span<double> sums) const;

 private:
  struct Node {
    float threshold;         ///< of a leaf 0
    std::uint32_t question;  ///< twice the column, and 1 where rows without a value go left; of a leaf 0
    std::uint32_t next[2];   ///< for other values, for values below the threshold; of a leaf itself
  };
  struct Tree {
    std::uint32_t root, steps;  ///< so far is its deepest leaf
  };
  template <int Rows>
  void walk(const Tree& tree, const float* row, Index stride, double* sums) const;

  double base_;
  std::vector<Tree> trees_;
  std::vector<Node> nodes_;    // in the order of BoostedTrees
  std::vector<float> leaves_;  // one a node: what a leaf adds
};

}  // namespace fovea::study
