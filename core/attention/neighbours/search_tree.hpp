#pragma once
/// A k-d tree (Bentley 1975; Friedman, Bentley, Finkel 1977) over the keys of one set. Internal to core/attention.
///
/// Debian's nanoflann is a good k-d tree, but its metrics know no mixture of straight and periodic axes, and copies of
/// the points beyond each border would cost up to 3^D. Here each node has the box of its points, so a periodic axis
/// only changes the distance to a box; and each node knows its lowest row, so that ties go by row and duplicates are
/// pruned.

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "fovea/core/attention/neighbours/coordinates.hpp"
#include "fovea/core/attention/neighbours/distance.hpp"

namespace fovea {

/// A key and its squared distance; the nearer comes first, and of equally near ones that with the lower row.
using Candidate = std::pair<double, Index>;

class SearchTree {
 public:
  /// Over the keys of one set. Keeps a reference to the periods. O(n log n), whatever the points.
  SearchTree(const CheckedCoordinates& coordinates, Index set);

  /// Rows of the keys, those that are near in space near each other.
  std::span<const Index> rows() const { return rows_; }
  /// The k first candidates, without the row `left_out` (-1: none); found: in no particular order.
  void nearest(const double* point, Index k, Index left_out, std::vector<Candidate>& found) const;
  /// How many keys have a squared distance of at most `limit`.
  Index count_within(const double* point, double limit) const;
  /// Their rows, in no particular order, appended.
  void within(const double* point, double limit, std::vector<Index>& rows) const;

 private:
  static constexpr Index kLeafPoints = 24;
  using LeafDistances = std::array<double, kLeafPoints>;

  struct Node {
    Index begin, end;  ///< into rows_
    Index right;       ///< the left child comes next; 0: a leaf
    Index least_row;
    Index points;  ///< of a leaf: where its coordinates start in points_
    std::size_t size() const { return (end - begin); }
  };

  Index build(Index begin, Index end, const CheckedCoordinates& coordinates);
  void keep_points(Node& leaf, const CheckedCoordinates& coordinates);
  Index widest_axis(Index node) const;
  BoxView box(Index node) const;
  const Node& node(Index index) const { return nodes_[index]; }
  Index row(const Node& leaf, std::size_t j) const { return rows_[leaf.begin + j]; }
  LeafDistances squared_distances(const double* point, const Node& leaf) const;
  double least(const double* point, Index index) const;
  void visit_nearest(struct NearestSearch& search, Index index) const;

  std::span<const double> periods_;
  Index dimensions_;
  std::vector<Node> nodes_;
  std::vector<double> boxes_;   ///< lower and upper corner of each node
  std::vector<double> points_;  ///< of each leaf kLeafPoints numbers an axis; those it has no points for are 0
  std::vector<Index> rows_;
};

}  // namespace fovea
