#pragma once
/// Networks from edge lists and node lists, .csv or .csv.gz.

#include <string>

#include "fovea/datasets/network/network.hpp"

namespace fovea::datasets::network {

struct EdgeListOptions {
  bool directed = false;
  bool keep_loops = false;       ///< self-loops stay among the edges
  bool negative = false;         ///< weights may be < 0
  bool refuse_parallel = false;  ///< an edge given again (undirected: in either direction) is a mistake
  bool weighted = true;          ///< false: a weight column is not looked at, and an edge given again counts once
  std::string node_file = "";    ///< labels of the nodes, see below; "" for none
};

/// Reads `source,target[,weight]`: the columns by these names in any order, others are skipped. Without a header (then
/// ids must be whole numbers) the columns are source, target and weight in this order. Lines that begin with '#' are
/// skipped. Separators, decimal commas and encodings as in files of series (dialect.hpp). Ids are any names, blanks
/// around them dropped. A missing or empty weight is 1; a negative (unless it may be) or infinite one, or NaN, is
/// refused. Self-loops are dropped (unless they are kept) and counted; an edge given again (undirected: in either
/// direction) adds its weight to the first and is counted in `merged`. node_file: `node,LABEL COLUMNS`; each node once,
/// and nodes without edges are taken from it too. Every other column becomes labels[column]; nodes that are not in it
/// have the label "". The nodes are numbered in ascending order of their ids if these are all whole numbers, else in
/// the order in which they first appear (in the node file, then in the edge list). A file without edges is refused.
/// Throws DataError with file and row, or StorageError.
Network read_edge_list(const std::string& path, const EdgeListOptions& options = {});

}  // namespace fovea::datasets::network
