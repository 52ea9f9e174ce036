#pragma once
/// Networks as programs that draw and measure graphs write them. Internal to datasets/.
///
///   GraphML  Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002, graphml.graphdrawing.org; labels of yEd
///   GEXF     1.1 to 1.3, gexf.net: Gephi
///   GML      Himsolt 1997: the files of Newman's collection
///   Pajek    Batagelj & Mrvar 1998: .net with *Vertices, *Arcs, *Edges, their lists and *Matrix
///   lines    words between blanks or tabs, lines that begin with # or % skipped: edges `from to [weight]` (NCOL), also
///            with a dictionary of attributes (networkx), KONECT `from to [weight [time]]`, lists of neighbours `node
///            node ...`, square matrices, MatrixMarket coordinates (Boisvert, Pozo & Remington 1996)
///   matrix   a table of as many rows as columns, with or without names: row to column, 0 or nothing for no edge
///   JSON     node-link documents of networkx and d3: nodes, and links or edges

#include <cstdint>
#include <string>
#include <vector>

namespace fovea::datasets::network {

enum class GraphFormat { table, graphml, gexf, gml, pajek, lines, matrix, node_link };

struct DocumentNode {
  std::string id;                   ///< what edges call it
  std::string label;                ///< what people call it; may be empty
  std::vector<std::string> values;  ///< of each column, "" where there is none; may be shorter than the columns
};

struct DocumentEdge {
  std::uint32_t source = 0, target = 0;  ///< places among the nodes
  double weight = 1;
  bool directed = false;
  std::size_t line = 0;        ///< where it stands in the file, from 1; 0: not known
  std::uint32_t relation = 0;  ///< place among the relations
};

struct GraphDocument {
  std::vector<DocumentNode> nodes;
  std::vector<std::string> columns;  ///< attributes of the nodes
  std::vector<DocumentEdge> edges;
  std::string kind = {};             ///< "a GML document"
  bool directions_unsaid = false;    ///< of edges in the file's order, as in a table: directed where the network is
  std::string relation_column = {};  ///< what the relations are called, such as layer
  std::vector<std::string> relations{""}, unread = {};  ///< kinds of edges, "" where unknown; attributes of edges
  std::vector<std::string> notes = {};  ///< what is worth saying of the file: sentences that go on from its name
};

/// By the first letters and lines of the file, plain or packed by gzip. Throws StorageError, and DataError for XML of
/// another kind, DOT and UCINET.
GraphFormat graph_format_of(const std::string& path);

/// Reads the whole file. Node names are text in UTF-8, other encodings are converted where the file says which. Throws
/// DataError "FILE:line N: ..." for a file that is malformed, names nodes that it does not have, or holds several
/// graphs, nested graphs or edges of more than two ends; StorageError.
GraphDocument read_graph_document(const std::string& path, GraphFormat format);

/// What each node is called: its label where all have one and all differ, else its id.
std::vector<std::string> names_of(const GraphDocument& document);

}  // namespace fovea::datasets::network
