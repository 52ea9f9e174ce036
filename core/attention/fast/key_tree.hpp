#pragma once
/// A tree over keys on the line, for sums that must be exact relative to themselves, however small. Internal to
/// core/attention/fast.

#include <span>
#include <vector>

#include "fovea/core/attention/fast/line_boxes.hpp"
#include "fovea/core/attention/fast/sorted_order.hpp"
#include "fovea/core/base/memory.hpp"

namespace fovea::fast {

/// Sums of one query over all keys.
struct TreeSums {
  double weight = 0, value = 0;
  double position = 0;  ///< mean of the keys' positions under the weights
};

/// Nodes are runs of 32, 64, 128, ... of the sorted keys, each with its moments about the middle of its keys. A query
/// takes a node whose kernel is a short series (the exponent changes by at most 0.7 from its middle to its ends),
/// leaves out one below e^-42 of what it has already, and opens any other. O(log M) a query, without cancellation.
class KeyTree {
 public:
  /// Keys with g = 0 are left out.
  void build(const LineKeys& keys);
  bool empty() const { return count_ == 0; }
  double first() const { return positions_[0]; }
  double last() const { return positions_[count_ - 1]; }

  /// Weights g_j exp(-(x - y_j)^2 / 2T), multiplied by what takes the weight of the nearest key to at least
  /// e^least_log.
  TreeSums gaussian(double x, double temperature, double least_log) const;
  /// Weights g_j exp(x y_j), whatever multiplied by.
  TreeSums product(double x) const;

 private:
  struct Node {
    double low, high, middle, half, log_mass;
  };
  struct Level {
    Index first, count, keys;  ///< nodes, and the keys of each
  };
  template <typename Kernel, typename Found>
  void visit(const Kernel& kernel, std::size_t level, Index place, double& found, Found& terms) const;
  template <typename Kernel>
  double bound(const Kernel& kernel, const Node& node) const;
  void fill_leaf(Index leaf);
  void merge(const Level& level, Index place, const Level& below);
  const Node& node(std::size_t level, Index place) const { return nodes_[levels_[level].first + place]; }

  Index count_ = 0;
  SortedOrder order_;
  AlignedVector<double> positions_, strengths_, products_;  ///< y, g and g v in the order of y
  std::vector<Level> levels_;                               ///< leaves first
  std::vector<Node> nodes_;
  AlignedVector<double> moments_;
};

}  // namespace fovea::fast
