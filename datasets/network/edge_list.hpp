#pragma once
/// Networks as tables of edges and of nodes, .csv or .csv.gz. Internal to datasets/.

#include <map>
#include <string>
#include <vector>

#include "fovea/datasets/network/gathering.hpp"
#include "fovea/datasets/network/network_file.hpp"

namespace fovea::datasets::network {

/// What is wrong with the weight of an edge, as a sentence; "" for nothing.
std::string mistake_of_weight(double weight, bool negative);

/// Labels of nodes in the order in which these were handed to a Gathering.
struct NodeLabels {
  std::size_t first = 0;                                    ///< place of the first among Gathering's labelled nodes
  std::map<std::string, std::vector<std::string>> columns;  ///< "" where unknown
};

/// What a table says of its edges besides their ends and weights.
struct EdgesSeen {
  std::size_t directions = 0;    ///< by a column of types
  std::size_t not_positive = 0;  ///< weights <= 0, where weights are not looked at
};

/// Reads `source,target[,weight]`, see read_network().
EdgesSeen read_edges(const std::string& path, const NetworkFileOptions& options, Gathering& gathering);

/// Reads `node,LABEL COLUMNS` or `Id,...`, each node once.
NodeLabels read_labels(const std::string& path, Gathering& gathering);

}  // namespace fovea::datasets::network
