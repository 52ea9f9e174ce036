/// One network as programs write it in lines, matrices and JSON, what is said of it, and what is refused.

#include "fovea/datasets/network/findings.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

using datasets::network::Network;
using datasets::network::NetworkFileOptions;

struct FormatCase {
  std::string name, text, kind;  ///< kind: "" for a table of edges
};

Network read_format(const FormatCase& file, const NetworkFileOptions& options = {}) {
  const TemporaryFolder folder;
  support::put_file(folder.file(file.name), file.text);
  return datasets::network::read_network(folder.file(file.name), options);
}

/// "a-b 2", sorted.
std::set<std::string> ties_of(const Network& network) {
  std::set<std::string> ties;
  for (const auto& edge : network.edges) {
    std::string from = network.names[edge.source], to = network.names[edge.target];
    if (!network.directed && to < from) std::swap(from, to);
    ties.insert(concat(from, network.directed ? ">" : "-", to, ' ', edge.weight));
  }
  return ties;
}

template <typename Kind>
std::optional<Kind> found_in(const Network& network) {
  for (const Finding& finding : network.findings)
    if (finding.kind == Kind::kKind) return finding_as<Kind>(finding);
  return std::nullopt;
}

// 1 - 2 with 2, 1 - 3 with 1, 2 - 3 with 2.5, and 4 alone where the format names it.
const FormatCase kWeighted[] = {
    {"x.edgelist", "# made\n1 2 2\n1 3 1.0\n2 3 2.5\n", "an edge list of source, target and weight, with blanks"},
    {"x.csv", "1,2,2\n1,3,1\n2,3,2.5\n", ""},
    {"x.tsv", "1\t2\t2\n1\t3\t1\n2\t3\t2.5\n", ""},
    {"x.txt", "source target weight\r\n1 2 2\r\n1 3 1\r\n2 3 2.5\r\n", "a table of edges with blanks"},
    {"x.txt", "1 2 {'weight': 2, 'note': \"it's, so\"}\n1 3 {}\n2 3 {'weight': 2.5}\n",
     "an edge list with dictionaries of attributes, with blanks"},
    {"out.x", "% sym weighted\n% 3 4 4\n1\t2\t2\t1082040961\n1\t3\t1\t0\n2\t3\t2.5\t9\n", "a KONECT network with tabs"},
    {"x.csv", ",1,2,3,4\n1,0,2,1,0\n2,2,0,2.5,\n3,1,2.5,0,0\n4,0,,0,0\n", "a matrix of who is connected to whom"},
    {"x.csv", "node,1,2,3,4\n1,0,2,1,0\n2,2,0,2.5,\n3,1,2.5,0,0\n4,0,,0,0\n", "a matrix of who is connected to whom"},
    {"x.csv", "0;2;1;0\n2;0;2,5;0\n1;2,5;0;0\n0;0;0;0\n", "a matrix of who is connected to whom"},
    {"x.txt", "0 2 1 0\n2 0 2.5 0\n1 2.5 0 0\n0 0 0 0\n", "a matrix of who is connected to whom"},
    {"x.txt", "\"1\" \"2\" \"3\" \"4\"\n\"1\" 0 2 1 0\n\"2\" 2 0 2.5 0\n\"3\" 1 2.5 0 0\n\"4\" 0 0 0 0\n",
     "a matrix of who is connected to whom"},
    {"x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% a\n4 4 3\n2 1 2\n3 1 1\n3 2 2.5\n",
     "a MatrixMarket matrix (real, symmetric)"},
    {"x.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 6\n2 1 2\n1 2 2\n3 1 1\n1 3 1\n3 2 2.5\n2 3 2.5\n",
     "a MatrixMarket matrix (real, general)"},
    {"x.json",
     "{\"directed\": false, \"nodes\": [{\"id\": 1, \"age\": 7}, {\"id\": 2}, {\"id\": 3}, {\"id\": 4}], \"links\": "
     "[{\"source\": 1, \"target\": 2, \"weight\": 2, \"key\": 0}, {\"source\": 1, \"target\": 3},"
     " {\"source\": 2, \"target\": 3, \"weight\": 2.5}]}",
     "a node-link document (JSON)"}};

}  // namespace

TEST_CASE("one network is the same in whatever lines, matrix or document it comes", "[network_formats]") {
  for (const FormatCase& file : kWeighted) {
    INFO(file.name << "\n" << file.text);
    const Network network = read_format(file);
    CHECK(ties_of(network) == std::set<std::string>{"1-2 2", "1-3 1", "2-3 2.5"});
    CHECK(network.directions + network.merged == 0);
    const auto recognised = found_in<datasets::network::NetworkRecognised>(network);
    REQUIRE(recognised.has_value() == !file.kind.empty());
    if (!recognised) continue;
    CHECK(recognised->kind == file.kind);
    CHECK(recognised->isolated == static_cast<std::int64_t>(network.nodes) - 3);
  }
}

TEST_CASE("weights, relations and columns that are not used are named, and no others", "[network_formats]") {
  using namespace datasets::network;
  for (const FormatCase& file : kWeighted) {
    INFO(file.name << "\n" << file.text);
    CHECK_FALSE(found_in<EdgeWeightsUnused>(read_format(file)));
    const auto unused = found_in<EdgeWeightsUnused>(read_format(file, {.weighted = false}));
    REQUIRE(unused);
    CHECK(unused->edges == 2);
  }
  CHECK_FALSE(
      found_in<EdgeWeightsUnused>(read_format({"x.csv", "source,target,weight\na,b,1\n", ""}, {.weighted = false})));
  const auto not_positive = [](const char* name, const char* text) {
    return found_in<EdgeWeightsUnused>(read_format({name, text, ""}, {.weighted = false}))->not_positive;
  };
  CHECK(not_positive("x.csv", "source;target;weight\na;b;-1,5\nb;c;0\nc;a;2\na;d;much\n") == 2);
  CHECK(not_positive("x.net", "*Vertices 3\n*Edges\n1 2 -1\n2 3 1\n") == 1);
  CHECK(found_in<EdgeColumnsUnread>(read_format(kWeighted[4]))->columns == "note");
  CHECK(found_in<EdgeColumnsUnread>(read_format(kWeighted[5]))->columns == "time");
  CHECK_FALSE(found_in<EdgeColumnsUnread>(read_format(kWeighted[0])));
  const FormatCase layers{"x.csv", "source,target,layer,empty\na,b,work,\na,b,home,\nb,c,work,\n", ""};
  CHECK(found_in<RelationsOfEdges>(read_format(layers))->relations == "home (1 edge), work (2 edges)");
  CHECK_FALSE(found_in<EdgeColumnsUnread>(read_format(layers)));
  const Network work = read_format(layers, {.relation = "work"});
  CHECK(ties_of(work) == std::set<std::string>{"a-b 1", "b-c 1"});
  CHECK(found_in<RelationsOfEdges>(work)->chosen == "work");
  const FormatCase gephi{"x.csv", "Source,Target,Type\na,b,Undirected\nb,c,Directed\n", ""};
  CHECK_FALSE(found_in<RelationsOfEdges>(read_format(gephi)));
  CHECK(found_in<RelationsOfEdges>(
      read_format({"x.net", "*Vertices 2\n*Arcs :1 \"a\"\n1 2\n*Arcs :2 \"b\"\n2 1\n", ""})));
}

TEST_CASE("lists of neighbours keep their isolated nodes, and directions are kept where a network is directed",
          "[network_formats]") {
  const Network list = read_format({"x.txt", "0 1 4\n1 2\n2\n3\n4\n", ""});
  CHECK(ties_of(list) == std::set<std::string>{"0-1 1", "0-4 1", "1-2 1"});
  CHECK(list.nodes == 5);
  CHECK(ties_of(read_format({"x.adjlist", "a b c\nb c a\n", ""}, {.directed = true})) ==
        std::set<std::string>{"a>b 1", "a>c 1", "b>a 1", "b>c 1"});
  const NetworkFileOptions directed{.directed = true, .keep_loops = true};
  const std::set<std::string> arcs{"1>1 0.5", "1>2 2", "2>1 3"};
  CHECK(ties_of(read_format({"x.txt", "1 1 .5\n1 2 2\n2 1 3\n", ""}, directed)) == arcs);
  CHECK(ties_of(read_format(
            {"x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 .5\n1 2 2\n2 1 3\n", ""}, directed)) ==
        arcs);
  CHECK(ties_of(read_format({"x.csv", "1,2,1\n2,3,2\n3,1,4\n", ""})) ==
        std::set<std::string>{"1-2 1", "1-3 4", "2-3 2"});
  CHECK(ties_of(read_format(kWeighted[6], directed)).size() == 6);  // a symmetric matrix leads both ways
  const FormatCase d3{"x.json",
                      "{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"links\":[{\"source\":0,\"target\":1}]}", ""};
  CHECK(ties_of(read_format(d3)) == std::set<std::string>{"A-B 1"});
  CHECK(ties_of(read_format({"x.txt", "\"Zo\xC3\xA9 A\" \"Bob B\" 2\n\"Bob B\" C 1\n", ""})) ==
        std::set<std::string>{"Bob B-C 1", "Bob B-Zo\xC3\xA9 A 2"});
}

TEST_CASE("what is no network, or may be read in two ways, is refused by what it is", "[network_formats][fault]") {
  const std::pair<FormatCase, const char*> refused[] = {
      {{"x.txt", "1 2 3\n1 3\n2 3\n", ""}, ":line 2: has another number of words than line 1: edges with and without"},
      {{"x.txt", "a b c\nb c a\n", ""}, ":line 1: has a third word that is no number"},
      {{"x.txt", "1 2 3 4\n2 3 4 5\n1 3 4 4\n", ""}, ":line 1: has 4 words in each line"},
      {{"x.txt", "ego alter\nann bob\nbob cem\n", ""}, ":line 1: 'ego alter' seems to name the columns"},
      {{"x.txt", "1 2 2\n1 3 -1\n", ""}, ":line 2: the weight is -1; it must be finite and >= 0."},
      {{"x.txt", "1 2 {'weight': {'a': 1}}\n", ""}, ":line 1: the dictionary {'weight': {'a': 1}} holds another"},
      {{"x.csv", "ann\nbob\n", ""}, ": has the single column 'ann'; a table of edges needs both ends"},
      {{"x.csv", ",p,q\na,1,0\nb,0,1\n", ""}, ":line 2: a matrix has the row 'a', but no such column"},
      {{"x.csv", "1,0,1,0\n0,1,1,1\n", ""}, ": has 2 rows and 4 columns of numbers: neither a table of edges"},
      {{"x.csv", "0,1,1\n1,0,1\n1,1,0\n", ""}, ": three rows of three numbers may be a matrix, or edges"},
      {{"x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n", ""}, ":line 1: is MatrixMarket"},
      {{"x.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 1\n", ""},
       ":line 2: is a matrix of 2 rows"},
      {{"x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", ""}, ": has fewer entries"},
      {{"out.x", "% bip unweighted\n1 1\n", ""}, ":line 1: is a bipartite network of KONECT"},
      {{"x.json", "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1}", ""}, "is no well-formed JSON; was it cut?"},
      {{"x.json", "{\"nodes\": [], \"links\": [{\"source\": NaN}]}", ""}, "is no well-formed JSON from 'N"},
      {{"x.txt", "# a comment\n% another\n", ""}, ": holds nothing but comments"},
      {{"x.csv", ",a,b,c\na,0,1,0\nb,1,0,x\nc,0,1,0\n", ""}, ":line 3: a matrix has the entry 'x', which is no number"},
      {{"x.txt", "1 2 {}\n2 3 {}\n3\n", ""}, ":line 3: has dictionaries behind other than two words"},
      {{"x.json", "[{\"data\": 1}]", ""}, ": is JSON without lists 'nodes' and 'links'"},
      {{"x.csv", "id,q1,q2\n1,2,3\n2,3,4\n3,1,2\n", ""}, ": has no columns 'source' and 'target' but 3 others"},
      {{"x.lgl", "# a\nb 1\n# b\nc 2\n", ""}, ":line 1: is a list of igraph's LGL"},
      {{"x.dot", "graph {\n a -- b;\n}\n", ""}, ": is DOT, a drawing of Graphviz, which is not read here"},
      {{"x.dl", "dl n=2 format=edgelist1\ndata:\n1 2\n", ""}, ": is a DL file of UCINET, which is not read here"}};
  for (const auto& [file, message] : refused) {
    INFO(file.text);
    CHECK_THAT(support::refusal_of<DataError>([&, &one = file] { read_format(one); }), Catch::Contains(message));
  }
  CHECK_THAT(support::refusal_of<DataError>([&] { read_format(kWeighted[1], {.relation = "x"}); }),
             Catch::Contains("network.relation = \"x\", but its edges have no column or attribute"));
}
