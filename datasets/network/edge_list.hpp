#pragma once
/// Networks as tables of edges and of nodes, .csv or .csv.gz. Internal to datasets/.

#include <map>
#include <optional>
#include <string>
#include <utility>
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
  std::size_t directions = 0;                         ///< by a column of types
  std::size_t weights = 0, not_positive = 0;          ///< not 1 and <= 0, where weights are not looked at
  std::string relation_column = {};                   ///< "" for none
  std::map<std::string, std::size_t> relations = {};  ///< edges of each
  std::vector<std::string> unread = {};               ///< columns
  void add_relation(const std::string& relation) { ++relations[relation]; }
};

/// The columns of both ends: source and target (Gephi: Source, Target), or from and to (igraph).
std::optional<std::pair<std::size_t, std::size_t>> ends_of(const std::vector<std::string>& columns);

/// Whether a column is called node or id, as in a table of nodes.
bool names_nodes(const std::vector<std::string>& columns);

/// Whether a column of edges, in small letters, is called relation, layer or type.
bool is_relation(std::string_view name);

/// Whether the file names the columns of both ends, or its first row is an edge between numbered nodes.
bool is_table_of_edges(const std::string& path);

/// Reads `source,target[,weight]`, see read_network().
EdgesSeen read_edges(const std::string& path, const NetworkFileOptions& options, Gathering& gathering);

/// Reads `node,LABEL COLUMNS` or `Id,...`, each node once.
NodeLabels read_labels(const std::string& path, Gathering& gathering);

}  // namespace fovea::datasets::network
