#pragma once
/// Networks as programs that draw and measure graphs write them. Internal to datasets/.
///
///   GraphML  Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002, graphml.graphdrawing.org; labels of yEd
///   GEXF     1.1 to 1.3, gexf.net: Gephi
///   GML      Himsolt 1997: the files of Newman's collection
///   Pajek    Batagelj & Mrvar 1998: .net with *Vertices, *Arcs, *Edges, their lists and *Matrix

#include <cstdint>
#include <string>
#include <vector>

namespace fovea::datasets::network {

enum class GraphFormat { table, graphml, gexf, gml, pajek };

struct DocumentNode {
  std::string id;                   ///< what edges call it
  std::string label;                ///< what people call it; may be empty
  std::vector<std::string> values;  ///< of each column, "" where there is none; may be shorter than the columns
};

struct DocumentEdge {
  std::uint32_t source = 0, target = 0;  ///< places among the nodes
  double weight = 1;
  bool directed = false;
  std::size_t line = 0;  ///< where it stands in the file, from 1; 0: not known
};

struct GraphDocument {
  std::vector<DocumentNode> nodes;
  std::vector<std::string> columns;  ///< attributes of the nodes
  std::vector<DocumentEdge> edges;
  std::vector<std::string> notes;  ///< what is worth saying of the file: sentences that go on from its name
};

/// By the first letters of the file, plain or packed by gzip. Throws StorageError, and DataError for XML of another
/// kind.
GraphFormat graph_format_of(const std::string& path);

/// Reads the whole file. Node names are text in UTF-8, other encodings are converted where the file says which. Throws
/// DataError "FILE:line N: ..." for a file that is malformed, names nodes that it does not have, or holds several
/// graphs, nested graphs or edges of more than two ends; StorageError.
GraphDocument read_graph_document(const std::string& path, GraphFormat format);

/// What each node is called: its label where all have one and all differ, else its id.
std::vector<std::string> names_of(const GraphDocument& document);

}  // namespace fovea::datasets::network
