#pragma once
/// Graphs as GraphML (Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002, graphml.graphdrawing.org), which Gephi,
/// igraph, networkx, yEd and Cytoscape read.

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// An attribute of nodes or of edges.
struct GraphmlAttribute {
  std::string name;
  std::string type;  ///< "string", "double", "long" or "int"
};

struct GraphmlEdge {
  std::size_t source = 0, target = 0;  ///< places among the nodes
  bool directed = true;
  std::vector<std::string> values;  ///< of each attribute; "" is left out
};

struct Graphml {
  std::string id = "network";
  bool directed = true;  ///< what most edges are; another one says so itself
  std::vector<GraphmlAttribute> node_attributes, edge_attributes;
  std::vector<std::vector<std::string>> nodes;  ///< of each the values of its attributes; "" is left out
  std::vector<GraphmlEdge> edges;
};

/// Nodes are called n0, n1, ... What XML cannot hold is left out of the values.
std::string graphml_text(const Graphml& graph);

/// The network of a result: that of its first figure of a network, or the nodes and edges it holds without one. The
/// label of a node is its name (its number where it has none), every variable over the nodes and over the edges is an
/// attribute under its own name, NaN left out. Throws DataError where there is no network, and where it differs between
/// points of a sweep, with the way out; `file` begins the message.
std::string graphml_of(const Results& results, const std::string& file);

}  // namespace fovea
