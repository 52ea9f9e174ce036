/// Networks as graph programs write them: the same network from each format, and what is refused.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"

using namespace fovea;
using datasets::network::Network;
using datasets::network::NetworkFileOptions;
using support::TemporaryFolder;

namespace {

Network read_document(const std::string& name, const std::string& text, const NetworkFileOptions& options = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder.file(name), std::ios::binary) << text;
  return datasets::network::read_network(folder.file(name), options);
}

/// What is said of the file, without the folder; "" if it is read.
std::string document_refusal(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.file(name), std::ios::binary) << text;
  try {
    datasets::network::read_network(folder.file(name));
  } catch (const DataError& error) {
    return std::string(error.what()).substr(folder.path().size() + 1);
  }
  return "";
}

/// Edges by names, sorted: "Ann > Bob 2.5".
std::vector<std::string> edges_by_name(const Network& network) {
  std::vector<std::string> edges;
  for (const auto& edge : network.edges) {
    std::string from = network.names[edge.source], to = network.names[edge.target];
    if (!network.directed && to < from) std::swap(from, to);
    edges.push_back(concat(from, network.directed ? " > " : " - ", to, ' ', edge.weight));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::string label_of(const Network& network, const std::string& column, const std::string& name) {
  for (std::size_t i = 0; i < network.nodes; ++i)
    if (network.names[i] == name) return network.labels.at(column)[i];
  return "no such node";
}

// Ann hears Bob, Bob and Zoé & Co hear each other, Dan hears nobody.
const std::string kGraphml =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- of a test -->\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"d0\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
    "<key id=\"d1\" for=\"node\" attr.name=\"party\" attr.type=\"string\"><default>left</default></key>\n"
    "<key id=\"d2\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
    "<graph edgedefault=\"directed\">\n"
    "<node id=\"n0\"><data key=\"d0\">Ann</data></node>\n"
    "<node id=\"n1\"><data key=\"d0\">Bob</data><data key=\"d1\">right</data></node>\n"
    "<node id=\"n2\"><data key=\"d0\">Zo\xC3\xA9 &amp; Co</data></node>\n"
    "<node id=\"n3\"><data key=\"d0\">Dan</data></node>\n"
    "<edge source=\"n1\" target=\"n0\"><data key=\"d2\">2.5</data></edge>\n"
    "<edge source=\"n1\" target=\"n2\" directed=\"false\"/>\n</graph>\n</graphml>\n";
const std::string kGexf =
    "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\"><graph defaultedgetype=\"directed\">\n"
    "<attributes class=\"node\"><attribute id=\"0\" title=\"party\" type=\"string\"><default>left</default></attribute>"
    "</attributes>\n<nodes><node id=\"a\" label=\"Ann\"/><node id=\"b\" label=\"Bob\"><attvalues>"
    "<attvalue for=\"0\" value=\"right\"/></attvalues></node>\n<node id=\"c\" label=\"Zo&#233; &amp; Co\"/>"
    "<node id=\"d\" label=\"Dan\"/></nodes>\n<edges><edge id=\"0\" source=\"b\" target=\"a\" weight=\"2.5\"/>\n"
    "<edge id=\"1\" source=\"b\" target=\"c\" type=\"mutual\"/></edges></graph></gexf>\n";
const std::string kGml =
    "Creator \"a test, 2026\"\n# a remark with [ a bracket\ngraph [\n  directed 1\n  style [ color \"red\" ]\n"
    "  node [ id 7 label \"Ann\" party \"left\" graphics [ x 1 y 2 ] ]\n  node [ id 8 label \"Bob\" party \"right\" ]\n"
    "  node [ id 9 label \"Zo\xC3\xA9 &amp; Co\" party \"left\" ]\n  node [ id 10 label \"Dan\" party \"left\" ]\n"
    "  edge [ source 8 target 7 value 2.5 ]\n  edge [ source 8 target 9 ]\n  edge [ source 9 target 8 ]\n]\n";
const std::string kPajek =
    "% a remark\r\n*Network test\r\n*Vertices 4\r\n 1 \"Ann\" 0.1 0.2 0.5 ic Red\r\n 2 Bob\r\n 3 \"Zo\xC3\xA9 & "
    "Co\"\r\n"
    " 4 \"Dan\"\r\n*Arcs :1 \"hears\"\r\n 2 1 2.5\r\n\r\n*Edges\r\n 2 3\r\n";
const std::vector<std::string> kDirected{"Bob > Ann 2.5", "Bob > Zo\xC3\xA9 & Co 1", "Zo\xC3\xA9 & Co > Bob 1"};

struct Malformed {
  const char* what;
  std::string name, text, message;
};

const std::string kNodes = "<node id=\"a\"/><node id=\"b\"/>";
std::string graphml_with(const std::string& inside) {
  return "<graphml>\n<graph edgedefault=\"undirected\">\n" + inside + "\n</graph></graphml>";
}

const Malformed kMalformed[] = {
    {"XML of another kind", "x.xml", "<svg/>",
     "x.xml: is XML with the root 'svg'; GraphML, GEXF, GML, Pajek and tables with the columns source and target are "
     "read."},
    {"a document that was cut", "x.graphml", kGraphml.substr(0, 700),
     "x.graphml:line 13: is no well-formed XML (start-end tags mismatch); was it cut? Write it again."},
    {"no graph", "x.graphml", "<graphml/>", "x.graphml: has no graph; was it cut? Write it again."},
    {"two graphs", "x.graphml", "<graphml><graph/>\n<graph/></graphml>",
     "x.graphml:line 2: holds several graphs; keep one in the file."},
    {"no edges", "x.graphml", graphml_with(kNodes), "x.graphml: has no edges; a network needs at least one."},
    {"a node twice", "x.graphml", graphml_with(kNodes + "\n<node id=\"a\"/>"),
     "x.graphml:line 4: the node 'a' is there twice; keep one."},
    {"a node without an id", "x.graphml", graphml_with("<node/>"),
     "x.graphml:line 3: <node> has no attribute 'id'; give it."},
    {"an edge to nowhere", "x.graphml", graphml_with(kNodes + "\n<edge source=\"a\" target=\"c\"/>"),
     "x.graphml:line 4: an edge ends at 'c', but there is no such node; add it."},
    {"an edge of three", "x.graphml", graphml_with(kNodes + "<hyperedge/>"),
     "x.graphml:line 3: is an edge of more than two ends; only edges of two are read."},
    {"a nested graph", "x.graphml", graphml_with("<node id=\"a\">\n<graph/></node>"),
     "x.graphml:line 4: a graph is nested in a node; flatten the graph and write it again."},
    {"a key that is declared nowhere", "x.graphml", graphml_with("<node id=\"a\"><data key=\"k\">1</data></node>"),
     "x.graphml:line 3: the key 'k' is declared nowhere; add its <key>."},
    {"a weight that is no number", "x.gexf",
     "<gexf><graph><nodes>" + kNodes +
         "</nodes><edges>\n<edge source=\"a\" target=\"b\" weight=\"2,5\"/></edges></graph>"
         "</gexf>",
     "x.gexf:line 2: the weight is '2,5', which is no number; use a decimal point."},
    {"a negative weight", "x.gexf",
     "<gexf><graph><nodes>" + kNodes +
         "</nodes><edges><edge source=\"a\" target=\"b\" weight=\"-1\"/></edges></graph>"
         "</gexf>",
     "x.gexf:line 1: the weight is -1; it must be finite and >= 0."},
    {"nested nodes", "x.gexf", "<gexf><graph><nodes><node id=\"a\"><nodes/></node></nodes></graph></gexf>",
     "x.gexf:line 1: nodes are nested in a node; flatten the graph and write it again."},
    {"letters that are no UTF-8", "x.gexf", "<gexf><graph><nodes><node id=\"\xE9\"/></nodes></graph></gexf>",
     "x.gexf: is not UTF-8; save it so, or give the encoding in its first line."},
    {"a bracket that stays open", "x.gml", "graph [\n node [ id 1 ]\n",
     "x.gml:line 1: a bracket is never closed; was the file cut?"},
    {"a quote that stays open", "x.gml", "graph [\n node [ id 1 label \"Ann ]\n]\n",
     "x.gml:line 2: a quote is never closed; close it."},
    {"an edge with one end", "x.gml", "graph [ node [ id 1 ]\n edge [ source 1 ] ]",
     "x.gml:line 2: an edge has no source or no target; give both."},
    {"a key without a value", "x.gml", "graph [ node [ id ] ]",
     "x.gml:line 1: the key 'id' has no value; give it one."},
    {"edges before the vertices", "x.net", "*Edges\n1 2\n",
     "x.net:line 1: edges stand before the vertices; *Vertices must come first."},
    {"a vertex beyond the number", "x.net", "*Vertices 2\n*Edges\n1 3\n",
     "x.net:line 3: the vertex 3 is not among 1, ..., 2; raise the number behind *Vertices."},
    {"a vertex of letters", "x.net", "*Vertices 2\n*Edges\nAnn Bob\n",
     "x.net:line 3: a vertex is 'Ann', which is no whole number."},
    {"a section of a project", "x.net", "*Vertices 2\n*Edges\n1 2\n*Partition camps\n",
     "x.net:line 4: the section '*Partition' is not read; *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist and *Matrix "
     "are. Save the network alone, as .net."},
    {"a short matrix", "x.net", "*Vertices 2\n*Matrix\n0 1\n",
     "x.net:line 3: the matrix has fewer rows than there are vertices."},
    {"an impossible number of vertices", "x.net", "*Vertices 99999999999\n",
     "x.net:line 1: there are 99999999999 vertices, but must be in [1, 1e8]."},
};

}  // namespace

TEST_CASE("GraphML, GEXF, GML and Pajek give the same directed network", "[network][documents]") {
  NetworkFileOptions options;
  options.directed = true;
  for (const auto& [name, text] :
       {std::pair{"x.graphml", kGraphml}, {"x.gexf", kGexf}, {"x.gml", kGml}, {"x.net", kPajek}}) {
    INFO(name);
    const Network network = read_document(name, text, options);
    CHECK(network.names == std::vector<std::string>{"Ann", "Bob", "Zo\xC3\xA9 & Co", "Dan"});
    CHECK(edges_by_name(network) == kDirected);
    CHECK(network.directions == 0);
    if (std::string(name) == "x.net") continue;  // Pajek keeps attributes elsewhere
    CHECK(label_of(network, "party", "Ann") == "left");
    CHECK(label_of(network, "party", "Bob") == "right");
  }
}

TEST_CASE("an undirected network says how many directions of its document it drops", "[network][documents]") {
  for (const auto& [name, text, directions] :
       {std::tuple{"x.graphml", kGraphml, 1}, {"x.gexf", kGexf, 1}, {"x.gml", kGml, 3}, {"x.net", kPajek, 1}}) {
    INFO(name);
    const Network network = read_document(name, text);
    CHECK(network.directions == static_cast<std::size_t>(directions));
    CHECK(network.edges.size() == 2);
    CHECK(edges_by_name(network)[0] == "Ann - Bob 2.5");
  }
}

TEST_CASE("nodes are called by their ids where labels are missing or shared", "[network][documents]") {
  std::string same = kGexf;
  same.replace(same.find("label=\"Bob\""), 11, "label=\"Ann\"");
  CHECK(read_document("x.gexf", same).names == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(read_document("x.net", "*vertices 3\n2 \"Bob\"\n*edgeslist\n1 2 3\n").names ==
        std::vector<std::string>{"1", "2", "3"});
}

TEST_CASE("labels of yEd, lists, matrices and letters of Latin-1 are read", "[network][documents]") {
  const Network drawn =
      read_document("x.graphml",
                    "<graphml xmlns:y=\"http://www.yworks.com/xml/graphml\"><key id=\"d6\" for=\"node\" "
                    "yfiles.type=\"nodegraphics\"/>"
                    "<graph><node id=\"n0\"><data "
                    "key=\"d6\"><y:ShapeNode><y:Fill/><y:NodeLabel>Ann</y:NodeLabel></y:ShapeNode></data>"
                    "</node><node id=\"n1\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel> Bob "
                    "</y:NodeLabel></y:ShapeNode></data></node>"
                    "<edge source=\"n0\" target=\"n1\"/></graph></graphml>");
  CHECK(drawn.names == std::vector<std::string>{"Ann", "Bob"});
  NetworkFileOptions directed;
  directed.directed = true;
  const Network matrix = read_document("x.net", "*Vertices 3\n*Matrix\n0 2 0\n1 0 0\n0 0.5 0\n", directed);
  CHECK(edges_by_name(matrix) == std::vector<std::string>{"1 > 2 2", "2 > 1 1", "3 > 2 0.5"});
  const Network quoted = read_document("x.net", "*vertices 2\n1 \"Cy \"x\"\" 0.0 0.0\n2 \"Ren\xE9\"\n*edges\n1 2\n");
  CHECK(quoted.names == std::vector<std::string>{"Cy \"x\"", "Ren\xC3\xA9"});
  CHECK(quoted.notes ==
        std::vector<std::string>{"x.net is not UTF-8; its letters are read as Latin-1 (Windows-1252)."});
  CHECK(
      read_document("x.gexf", "<gexf><graph mode=\"dynamic\"><nodes>" + kNodes +
                                  "</nodes><edges><edge source=\"a\" target=\"b\" start=\"1\"/></edges></graph></gexf>")
          .notes.size() == 1);
}

TEST_CASE("a table of nodes adds to a document and has the last word", "[network][documents]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("x.graphml")) << kGraphml;
  std::ofstream(folder.file("nodes.csv")) << "node,party,age\nBob,centre,40\nEve,left,50\n";
  NetworkFileOptions options;
  options.node_file = folder.file("nodes.csv");
  const Network network = datasets::network::read_network(folder.file("x.graphml"), options);
  CHECK(network.nodes == 5);
  CHECK(label_of(network, "party", "Bob") == "centre");
  CHECK(label_of(network, "age", "Bob") == "40");
  CHECK(label_of(network, "party", "Ann") == "left");
  CHECK(label_of(network, "age", "Ann").empty());
  CHECK(label_of(network, "party", "Eve") == "left");
}

TEST_CASE("a header of a table is no document", "[network][documents]") {
  CHECK(read_document("x.csv", "graph,source,target\n1,a,b\n").names == std::vector<std::string>{"a", "b"});
  CHECK(read_document("x.csv", "source;target;weight\na;b;1,5\n").edges[0].weight == 1.5);
}

TEST_CASE("every malformed document is refused with its file, its line and the way out",
          "[network][documents][fault]") {
  for (const Malformed& one : kMalformed) {
    INFO(one.what);
    CHECK(document_refusal(one.name, one.text) == one.message);
  }
}

TEST_CASE("a document that is cut anywhere is refused or read, never more", "[network][documents][fault]") {
  for (const auto& [name, text] :
       {std::pair{"x.graphml", kGraphml}, {"x.gexf", kGexf}, {"x.gml", kGml}, {"x.net", kPajek}})
    for (std::size_t length = 0; length < text.size(); ++length)
      CHECK_NOTHROW(document_refusal(name, text.substr(0, length)));
}
