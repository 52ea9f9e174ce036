#pragma once
/// Networks from files: tables of edges and of nodes, and the documents of graph programs.

#include <string>

#include "fovea/datasets/network/network.hpp"

namespace fovea::datasets::network {

struct NetworkFileOptions {
  bool directed = false;
  bool keep_loops = false;       ///< self-loops stay among the edges
  bool negative = false;         ///< weights may be < 0
  bool refuse_parallel = false;  ///< an edge given again (undirected: in either direction) is a mistake
  bool weighted = true;          ///< false: a weight column is not looked at, and an edge given again counts once
  std::string node_file = "";    ///< labels of the nodes, see below; "" for none
  std::string relation = "";     ///< only edges of this one; "" for all
  std::string weights_key = "network.use_weights = true";  ///< what makes `weighted` true, for the note that says so
};

/// Reads a table of edges, a document of a graph program (GraphML, GEXF, GML, Pajek, node-link JSON), lines of words
/// (edge lists of networkx, igraph and KONECT, lists of neighbours, MatrixMarket) or a matrix, as its first letters and
/// lines say (documents/graph_document.hpp), plain or packed by gzip.
///
/// Table: `source,target[,weight]`, the columns by these names in any order and any capitals, others are skipped;
/// `from` and `to` will do for the ends (igraph). A column `type` may say Directed, Undirected or Mutual of each edge
/// (Gephi). Without a header (then ids must be whole numbers) the columns are source, target and weight in this order.
/// Lines that begin with '#' are skipped. Separators, decimal commas and encodings as in files of series (dialect.hpp).
/// Ids are any names, blanks around them dropped. A missing or empty weight is 1. Document: nodes are called by their
/// labels where all have one and all differ, else by their ids; their attributes become labels. The weight is the
/// attribute "weight" (GML: or "value"). An edge without a direction leads both ways where the network is directed; a
/// direction is dropped and counted in `directions` where it is not. Edges may be of several relations, by a column or
/// attribute called relation, layer or type (Pajek: *Arcs :2 "advice"; GEXF: kind). What of the file is not used is
/// among the `findings`: weights, relations, other attributes of edges.
///
/// A negative weight (unless it may be), an infinite one and NaN are refused. Self-loops are dropped (unless they are
/// kept) and counted; an edge given again (undirected: in either direction) adds its weight to the first and is counted
/// in `merged`. node_file: a table `node,LABEL COLUMNS` (or `Id`); each node once, and nodes without edges are taken
/// from it too. Every other column becomes labels[column]; nodes that are not in it have the label "". The nodes are
/// numbered in ascending order of their names if these are all whole numbers, else in the order in which they first
/// appear (in the node file, then in the file of edges). A file without edges is refused. Throws DataError with file
/// and line, or StorageError. Tables take the memory of their edges, documents up to ten times their own size.
Network read_network(const std::string& path, const NetworkFileOptions& options = {});

}  // namespace fovea::datasets::network
