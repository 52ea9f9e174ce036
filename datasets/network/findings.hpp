#pragma once
/// What is said of the files of networks, by kind.

#include <cstdint>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::datasets::network {

struct NetworkRecognised {
  std::string file, kind;  ///< kind: "a GML document"; empty: a table of edges
  std::int64_t nodes, edges, isolated;
  FOVEA_FINDING(note, "network_recognised", "the network is no table of edges", file, kind, nodes, edges, isolated)
  bool holds() const { return !kind.empty(); }
  std::string sentence() const {
    return concat(file, " is read as ", kind, ": ", counted(nodes, "node"), ", ", counted(edges, "edge"),
                  isolated == 0 ? "." : concat("; ", counted(isolated, "node has no edge.", "nodes have no edge.")));
  }
  static NetworkRecognised example() { return {"club.gml", "a GML document", 34, 78, 1}; }
  static NetworkRecognised counterexample() { return {"edges.csv", "", 34, 78, 0}; }
};

struct EdgeWeightsUnused {
  std::int64_t edges, not_positive;
  std::string key;  ///< what uses them
  FOVEA_FINDING(note, "edge_weights_unused", "edges have weights other than 1, and each counts once", edges,
                not_positive, key)
  bool holds() const { return edges > 0; }
  std::string sentence() const {
    return concat("Weights are there and not used: ", counted(edges, "edge has", "edges have"), " another one than 1",
                  not_positive == 0 ? "" : concat(" (", not_positive, " of them 0 or below)"),
                  ", but each counts once; to use them: ", key, ".");
  }
  static EdgeWeightsUnused example() { return {82, 3, "network.use_weights = true"}; }
  static EdgeWeightsUnused counterexample() { return {0, 0, "network.use_weights = true"}; }
};

struct EdgeColumnsUnread {
  std::int64_t count;
  std::string columns;
  FOVEA_FINDING(note, "edge_columns_unread", "edges have attributes that nothing reads", count, columns)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    return concat("Not read of the edges: ", columns, "; only their ends, their weight and their relation are.");
  }
  static EdgeColumnsUnread example() { return {2, "since, colour"}; }
  static EdgeColumnsUnread counterexample() { return {0, ""}; }
};

struct RelationsOfEdges {
  std::string column, relations;  ///< each with its number of edges
  std::int64_t count;
  std::string chosen;
  FOVEA_FINDING(note, "relations_of_edges", "edges are of several relations", column, relations, count, chosen)
  bool holds() const { return count > 1; }
  std::string sentence() const {
    return concat("The edges are of ", count, " relations (by the attribute ", column, "): ", relations, ". ",
                  chosen.empty() ? "All are used together; network.relation chooses one."
                                 : concat("Only ", chosen, " is used (network.relation)."));
  }
  static RelationsOfEdges example() { return {"layer", "advice (12 edges), trust (1 edge)", 2, "trust"}; }
  static RelationsOfEdges counterexample() { return {"layer", "advice (13 edges)", 1, ""}; }
};

struct NodeColumnsUnused {
  std::int64_t count;
  std::string columns, key;  ///< key: what uses one of them
  FOVEA_FINDING(note, "node_columns_unused", "nodes have attributes that nothing uses", count, columns, key)
  bool holds() const { return count > 0; }
  std::string sentence() const { return concat("Not used of the nodes: ", columns, "; ", key, " chooses one."); }
  static NodeColumnsUnused example() { return {2, "age, party", "network.label_column"}; }
  static NodeColumnsUnused counterexample() { return {0, "", "network.label_column"}; }
};

}  // namespace fovea::datasets::network
