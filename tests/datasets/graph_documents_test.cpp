/// Networks as graph programs write them: the same network from each format, and what is refused.

#include "fovea/datasets/network/network_file.hpp"
#include "fovea/tests/support/test.hpp"

using datasets::network::Network;
using datasets::network::NetworkFileOptions;

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
  return support::refusal_in<DataError>(folder, [&] { datasets::network::read_network(folder.file(name)); });
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

/// Letters below U+10000 as UTF-16 without a mark.
std::string as_utf16(const std::string& text, bool big) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[i + k])); };
    const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : 3;
    const unsigned unit = size == 1   ? byte(0)
                          : size == 2 ? (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU)
                                      : (byte(0) & 0xFU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    const char low = static_cast<char>(unit & 0xFFU), high = static_cast<char>(unit >> 8);
    out += big ? high : low;
    out += big ? low : high;
    i += size;
  }
  return out;
}

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
    {"a section of a project", "x.net", "*Vertices 2\n*Edges\n1 2\n*Permutation camps\n",
     "x.net:line 4: the section '*Permutation' is not read; *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist, *Matrix, "
     "*Partition and *Vector are. Save the network alone, as .net."},
    {"a short partition", "x.paj", "*Vertices 2\n*Edges\n1 2\n*Partition camps.clu\n*Vertices 2\n1\n",
     "x.paj:line 6: 'camps' has 1 value, but there are 2 vertices."},
    {"a partition of other vertices", "x.paj", "*Vertices 2\n*Edges\n1 2\n*Partition camps.clu\n*Vertices 3\n",
     "x.paj:line 5: these values must be of the 2 vertices of the network."},
    {"an encoding that is not known", "x.gexf", "<?xml version=\"1.0\" encoding=\"klingon\"?><gexf/>",
     "x.gexf:line 1: says that its encoding is 'klingon', which is not known; save it as UTF-8."},
    {"letters that are none of the encoding", "x.gexf",
     "<?xml version=\"1.0\" encoding=\"ISO-8859-6\"?>\n<gexf><graph><nodes><node id=\"\xA1\"/></nodes></graph></gexf>",
     "x.gexf:line 2: holds bytes that are no letters in the encoding 'ISO-8859-6', which the file says it has; save it "
     "as UTF-8."},
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

TEST_CASE("documents are read in UTF-16 and in the encoding that they name, and errors keep their lines",
          "[network][documents]") {
  // Ahmad and Sara in Arabic, in UTF-8 and in ISO-8859-6
  const std::string ahmad = "\xD8\xA3\xD8\xAD\xD9\x85\xD8\xAF", sara = "\xD8\xB3\xD8\xA7\xD8\xB1\xD8\xA9";
  const auto document = [](const std::string& declared, const std::string& one, const std::string& two) {
    return "<?xml version=\"1.0\" encoding=\"" + declared + "\"?>\r\n<gexf>\r\n<graph><nodes><node id=\"1\" label=\"" +
           one + "\"/><node id=\"2\" label=\"" + two +
           "\"/></nodes><edges>\r\n<edge source=\"1\" target=\"2\"/></edges></graph></gexf>\r\n";
  };
  const std::vector<std::string> names{ahmad, sara};
  for (const bool big : {false, true}) {
    const std::string mark = big ? "\xFE\xFF" : "\xFF\xFE", text = document("UTF-16", ahmad, sara);
    CHECK(read_document("x.gexf", mark + as_utf16(text, big)).names == names);
    CHECK(read_document("x.gexf", as_utf16(text, big)).names == names);  // a document needs no mark
    std::string wrong = text;
    wrong.replace(wrong.find("target=\"2\""), 10, "target=\"3\"");
    CHECK(document_refusal("x.gexf", mark + as_utf16(wrong, big)) ==
          "x.gexf:line 4: an edge ends at '3', but there is no such node; add it.");
    CHECK(document_refusal("x.gexf", mark + as_utf16(text, big) + "x").find("is damaged UTF-16 text") !=
          std::string::npos);
    const std::string net = "*Vertices 2\r\n1 \"" + ahmad + "\"\r\n2 \"" + sara + "\"\r\n*Edges\r\n1 2\r\n";
    CHECK(read_document("x.net", mark + as_utf16(net, big)).names == names);
    const std::string gml = "graph [ node [ id 1 label \"" + ahmad + "\" ] node [ id 2 label \"" + sara +
                            "\" ] edge [ source 1 target 2 ] ]";
    CHECK(read_document("x.gml", mark + as_utf16(gml, big)).names == names);
    const std::string table = "source\ttarget\tweight\r\n" + ahmad + "\t" + sara + "\t0,5\r\n";
    const Network tabs = read_document("x.txt", mark + as_utf16(table, big));
    CHECK(tabs.names == names);
    CHECK(tabs.edges[0].weight == 0.5);
  }
  CHECK(read_document("x.gexf", document("iso-8859-6", "\xC3\xCD\xE5\xCF", "\xD3\xC7\xD1\xC9")).names == names);
  CHECK(read_document("x.gexf", document("ISO-8859-1", "Ren\xE9", "Zo\xEB")).names ==
        std::vector<std::string>{"Ren\xC3\xA9", "Zo\xC3\xAB"});
}

TEST_CASE("letters of GML stand as numbers, and a value in quotes is no weight", "[network][documents]") {
  const Network network =
      read_document("x.gml",
                    "graph [ node [ id 1 label \"Zo&#233; &#38; &#34;Co&#34; &amp;lt; a&b; &#xZ; &#1114112;\" ] "
                    "node [ id 2 label \"&#x5D3;\" ] edge [ source 1 target 2 value \"friends\" ] ]");
  CHECK(network.names == std::vector<std::string>{"Zo\xC3\xA9 & \"Co\" &lt; a&b; &#xZ; &#1114112;", "\xD7\x93"});
  CHECK(network.edges[0].weight == 1);
}

TEST_CASE("partitions and vectors of a Pajek project are attributes of its vertices", "[network][documents]") {
  const Network network = read_document("x.paj",
                                        "*Network n.net\n*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n*Edges\n1 2\n2 3\n"
                                        "*Partition clubs.clu\n*Vertices 3\n1\n2\n2\n\n*Vector age.vec\n*Vertices 3\n"
                                        " 20.5\n 30\n 40\n");
  CHECK(label_of(network, "clubs", "c") == "2");
  CHECK(label_of(network, "age", "a") == "20.5");
}

TEST_CASE("tables of Gephi and igraph are read: capitals, from and to, types of edges, Id", "[network][edge_list]") {
  const std::string gephi =
      "Source,Target,Type,Id,Label,timeset,Weight\n1,2,Directed,0,,,2\n2,3,Undirected,1,,,0.5\n3,1,Mutual,2,,,1\n";
  CHECK(read_document("x.csv", gephi).directions == 1);
  CHECK(edges_by_name(read_document("x.csv", gephi)) == std::vector<std::string>{"1 - 2 2", "1 - 3 1", "2 - 3 0.5"});
  NetworkFileOptions directed;
  directed.directed = true;
  CHECK(edges_by_name(read_document("x.csv", gephi, directed)) ==
        std::vector<std::string>{"1 > 2 2", "1 > 3 1", "2 > 3 0.5", "3 > 1 1", "3 > 2 0.5"});
  const std::string igraph = "\"\",\"from\",\"to\",\"weight\"\n\"1\",\"Ann\",\"Bob\",3\n";
  CHECK(edges_by_name(read_document("x.csv", igraph)) == std::vector<std::string>{"Ann - Bob 3"});
  const TemporaryFolder folder;
  std::ofstream(folder.file("x.csv")) << gephi;
  std::ofstream(folder.file("nodes.csv")) << "Id,Label,party\n1,Ann,left\n2,Bob,right\n";
  NetworkFileOptions labelled;
  labelled.node_file = folder.file("nodes.csv");
  CHECK(label_of(datasets::network::read_network(folder.file("x.csv"), labelled), "party", "2") == "right");
}

TEST_CASE("a first line that names the separator is skipped", "[network][edge_list]") {
  for (const char* line : {"sep=;\r\n", "\xEF\xBB\xBFsep=;\n", "\"sep=;\"\n"})
    CHECK(edges_by_name(read_document("x.csv", std::string(line) + "source;target;weight\na;b;1,5\n")) ==
          std::vector<std::string>{"a - b 1.5"});
  CHECK(document_refusal("x.csv", "sep=;\nsource;target\na;\n").find("x.csv:row 3, column 'target'") == 0);
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
