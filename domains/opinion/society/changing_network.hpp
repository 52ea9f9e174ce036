#pragma once
/// A network whose edges come, go and move while a crowd is in motion: rewiring, unfollowing, events.
///
///   society::ChangingNetwork* network = dynamics.change_network();   // nullptr: everybody hears everybody
///   network->add_edge(3, 7);                                         // directed: 7 hears 3
///   network->remove_edge(network->edge_between(3, 7));
///   archive("network", *network);                                    // it is part of what a checkpoint holds
///
/// Between two steps anybody may change it: the model reads it anew where version() is another.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::society {

/// Simple at all times: no self-loop, and no edge twice unless it is told otherwise. Neighbours ascend, so that a draw
/// among them depends on who they are alone; the order of edges() depends on what happened, and is saved. An edge has a
/// number below edge_count(), which only the removal of another edge changes. Random places take O(1), everything else
/// O(degree) of both ends.
class ChangingNetwork {
 public:
  /// multiple: an edge may be there more than once; the neighbour is then listed as often.
  /// Throws ArgumentError for an edge to a node that is not there, to itself or, unless multiple, given twice.
  explicit ChangingNetwork(const Graph& graph, bool multiple = false);

  Index nodes() const { return static_cast<Index>(rows_.size()); }
  bool directed() const { return directed_; }
  bool multiple() const { return multiple_; }
  Index edge_count() const { return static_cast<Index>(edges_.size()); }
  /// Undirected: the lower node first. Directed: the second hears the first.
  const Edge& edge(Index number) const { return edges_[number]; }
  std::span<const Edge> edges() const { return edges_; }
  double weight(Index number) const { return weights_.empty() ? 1.0 : weights_[number]; }
  bool weighted() const { return !weights_.empty(); }

  /// Directed: those whom the node hears.
  std::span<const std::uint32_t> neighbours(Index node) const { return row(node).nodes; }
  /// The numbers of the edges to these, in the same order.
  std::span<const std::uint32_t> edges_of(Index node) const { return row(node).edges; }
  Index degree(Index node) const { return static_cast<Index>(row(node).nodes.size()); }

  /// The edge between the two (directed: by which `listener` hears `speaker`); -1 where there is none.
  Index edge_between(Index speaker, Index listener) const;
  bool joined(Index speaker, Index listener) const { return edge_between(speaker, listener) >= 0; }

  /// Gives its number. Throws ArgumentError for a node that is not there, a self-loop or, unless multiple, an edge that
  /// is there.
  Index add_edge(Index speaker, Index listener, double weight = 1);
  /// The last edge takes its number. Throws ArgumentError for a number that no edge has.
  void remove_edge(Index number);
  /// The end of the edge that is not `keeps` (directed: that which is heard) becomes `to`; number and weight stay.
  /// Throws ArgumentError as above, and where `keeps` is no end of the edge (directed: not its listener).
  void move_edge(Index number, Index keeps, Index to);

  /// Another number after each change, also after a restore.
  std::uint64_t version() const { return version_; }
  std::int64_t moved() const { return moved_; }  ///< since the start

  /// As it is now, its edges ascending; multiple: each once, with the sum of the weights.
  /// O(nodes + edges).
  Graph graph() const;

  void visit(Archive archive);

 private:
  struct Row {
    std::vector<std::uint32_t> nodes, edges;
  };
  const Row& row(Index node) const { return rows_[node]; }
  void require_node(Index node) const;
  void require_edge(Index number) const;
  void require_new(Index speaker, Index listener) const;
  Index place_of(Index node, Index neighbour, Index edge = 0) const;
  void enter(Index node, Index neighbour, Index edge);
  void leave(Index node, Index neighbour, Index edge);
  void join(Index number);
  void part(Index number);
  void fill_rows();

  bool directed_, multiple_;
  std::vector<Edge> edges_;
  std::vector<double> weights_;  ///< empty: all 1
  std::vector<double> own_;
  std::vector<Row> rows_;
  std::uint64_t version_ = 0;
  std::int64_t moved_ = 0;
};

}  // namespace fovea::opinion::society
