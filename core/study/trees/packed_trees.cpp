#include "fovea/core/study/trees/packed_trees.hpp"

#include <algorithm>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea::study {

namespace {

constexpr int kRowsTogether = 8;
constexpr Index kRowsOfBlock = 64;  // their columns stay in the second cache while all trees pass

}  // namespace

PackedTrees::PackedTrees(const BoostedTrees& trees) : base_(trees.base), leaves_(trees.value) {
  const std::size_t count = trees.column.size();
  require(count < std::numeric_limits<std::uint32_t>::max() / 2, "trees: there are ", count,
          " nodes, but must be fewer than 2^31.");
  std::vector<std::uint32_t> height(count, 0);
  for (std::size_t k = count; k-- > 0;) {  // children stand behind their node
    const auto self = static_cast<std::uint32_t>(k);
    Node node{0, 0, {self, self}};
    if (trees.column[k] >= 0) {
      const auto left = static_cast<std::uint32_t>(trees.left[k]), right = static_cast<std::uint32_t>(trees.right[k]);
      const auto column = static_cast<std::uint32_t>(trees.column[k]);
      node = {trees.value[k], 2 * column + (trees.missing_left[k] == 1 ? 1 : 0), {right, left}};
      height[k] = 1 + std::max(height[left], height[right]);
    }
    nodes_.push_back(node);
  }
  std::reverse(nodes_.begin(), nodes_.end());
  for (const std::int64_t root : trees.roots) trees_.push_back({static_cast<std::uint32_t>(root), height[root]});
}

template <int Rows>
void PackedTrees::walk(const Tree& tree, const float* row, Index stride, double* sums) const {
  std::uint32_t at[Rows];
  std::fill_n(at, Rows, tree.root);
  for (std::uint32_t step = 0; step < tree.steps; ++step)
    for (int r = 0; r < Rows; ++r) {
      const Node& node = nodes_[at[r]];
      const float x = row[r * stride + (node.question >> 1)];
      const bool missing = x != x;
      at[r] = node.next[static_cast<unsigned>(x < node.threshold) | (static_cast<unsigned>(missing) & node.question)];
    }
  for (int r = 0; r < Rows; ++r) sums[r] += static_cast<double>(leaves_[at[r]]);
}

void PackedTrees::log_odds(const Matrix<float>& rows, std::span<double> sums) const {
  require(static_cast<Index>(sums.size()) == rows.rows(), "trees: there are ", sums.size(), " sums for ", rows.rows(),
          " rows; each row needs one.");
  std::fill(sums.begin(), sums.end(), base_);
  const Index stride = rows.cols();
  for (Index first = 0; first < rows.rows(); first += kRowsOfBlock) {
    const Index end = std::min(first + kRowsOfBlock, rows.rows());
    for (const Tree& tree : trees_) {
      Index row = first;
      for (; row + kRowsTogether <= end; row += kRowsTogether)
        walk<kRowsTogether>(tree, rows.data() + row * stride, stride, sums.data() + row);
      for (; row < end; ++row) walk<1>(tree, rows.data() + row * stride, stride, sums.data() + row);
    }
  }
}

}  // namespace fovea::study
