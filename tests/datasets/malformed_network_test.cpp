#include <zlib.h>

#include "fovea/datasets/network/network_file.hpp"
#include "fovea/tests/support/test.hpp"

using namespace std::string_literals;

namespace {

struct MalformedNetwork {
  const char* what;
  std::string edges, nodes;  ///< the files; nodes "" for none
  std::string message;       ///< all of it, without the folder
};

const std::string kTwoEdges = "source,target\n1,2\n2,3\n";

const MalformedNetwork kMalformedNetworks[] = {
    {"nothing at all", "", "", "edges.csv: is empty; it needs a header and rows."},
    {"only blank lines", "\n\n\r\n", "", "edges.csv: is empty; it needs a header and rows."},
    {"only comments", "# a\n# b\n", "", "edges.csv: is empty; it needs a header and rows."},
    {"only a byte order mark", "\xEF\xBB\xBF", "", "edges.csv: is empty; it needs a header and rows."},
    {"only a header", "source,target\n", "", "edges.csv: has a header but no edges; each row must be one."},
    {"other names for the columns", "sender,receiver\n1,2\n", "",
     "edges.csv: has no columns 'source' and 'target' but 2 others, the first 'sender'; name them in the first line."},
    {"no target", "source,weight\n1,2\n", "",
     "edges.csv: has no columns 'source' and 'target' but 2 others, the first 'source'; name them in the first line."},
    {"a column", "Ann\nBob\n", "",
     "edges.csv: has the single column 'Ann'; a table of edges needs both ends, source and target."},
    {"names without a header", "Ann,Bob\nBob,Eve\n", "",
     "edges.csv: has no columns 'source' and 'target' but 2 others, the first 'Ann'; name them in the first line."},
    {"four columns without a header", "1,2,3,4\n", "",
     "edges.csv: has no columns 'source' and 'target' but 4 others, the first '1'; name them in the first line."},
    {"a column twice", "source,target,source\n1,2,3\n", "", "edges.csv:row 1: has two columns 'source'; rename one."},
    {"a row that is too short", "source,target,weight\n1,2,1\n2,3\n", "",
     "edges.csv:row 3: has 2 fields, but the first row has 3; each row needs as many."},
    {"a row that is too long", "1,2\n2,3,1\n", "",
     "edges.csv:row 2: has 3 fields, but the first row has 2; each row needs as many."},
    {"no source", "source,target\n1,2\n,3\n", "",
     "edges.csv:row 3, column 'source': the name of a node is missing; give every row both ends."},
    {"a target of blanks", "source,target\n1, \t \n", "",
     "edges.csv:row 2, column 'target': the name of a node is missing; give every row both ends."},
    {"text for a weight", "source,target,weight\n1,2,strong\n", "",
     "edges.csv:row 2, column 'weight': 'strong' is not a number; use digits and a decimal point."},
    {"a decimal comma in quotes", "source,target,weight\n1,2,\"0,5\"\n", "",
     "edges.csv:row 2, column 'weight': '0,5' is not a number; use digits and a decimal point."},
    {"a negative weight", "source,target,weight\n1,2,1\n\n# x\n1,3,-0.5\n", "",
     "edges.csv:row 5, column 'weight': the weight is -0.5; it must be finite and >= 0."},
    {"NaN for a weight", "1,2,nan\n", "",
     "edges.csv:row 1, column '3': the weight is nan; it must be finite and >= 0."},
    {"an infinite weight", "source,target,weight\n1,2,inf\n", "",
     "edges.csv:row 2, column 'weight': the weight is inf; it must be finite and >= 0."},
    {"a weight beyond numbers", "source,target,weight\n1,2,1e999\n", "",
     "edges.csv:row 2, column 'weight': '1e999' is too large or too small for a number; scale the column."},
    {"a weight whose sums are infinite", "source,target,weight\n1,2,1e300\n1,2,1e300\n", "",
     "edges.csv:row 2, column 'weight': the weight is 1e+300; above 1e+290 sums are infinite: scale it."},
    {"a quote that stays open", "source,target\n\"1,2\n2,3\n", "",
     "edges.csv:row 2: has a quote that is never closed; close it, or double it if it belongs to the text."},
    {"text behind a quote", "source,target\n\"Ann\"e,2\n", "",
     "edges.csv:row 2: has text behind a closing quote; double the quotes that belong to the text."},
    {"a carriage return inside a row", "source,target\n1,2\n2\r,3\n", "",
     "edges.csv:row 3: holds a carriage return that ends no line; lines must end in LF or CRLF."},
    {"a NUL byte", "source,target\n1,2\n2,\0003\n"s, "", "edges.csv:row 3: holds a NUL byte; is this a text file?"},
    {"half a surrogate", "source,target\nAnn,\xED\xA0\x80\n", "",
     "edges.csv:row 2: is not UTF-8 behind its first 4 bytes; save the file as UTF-8."},
    {"an overlong slash", "source,target\n\"\xC0\xAF\",Ann\n", "",
     "edges.csv:row 2: is not UTF-8 behind its first 1 bytes; save the file as UTF-8."},
    {"a character that is cut", "source,target\nAnn,\xE2\x82", "",
     "edges.csv:row 2: is not UTF-8 behind its first 4 bytes; save the file as UTF-8."},
    {"UTF-16 that was cut", "\xFF\xFEs\0o"s, "",
     "edges.csv: is damaged UTF-16 text, half of a letter is missing; save it as UTF-8."},
    {"an endless row", "source,target\n" + std::string(3'000'000, '1'), "",
     "edges.csv:row 2: is longer than 1048576 bytes; is this a table? A quote may be open."},
    {"labels without a node column", kTwoEdges, "name,side\n1,a\n",
     "nodes.csv: has no column 'node'; there are: 'name', 'side'."},
    {"a node with two labels", kTwoEdges, "node,side\n1,a\n2,b\n1,b\n",
     "nodes.csv:row 4, column 'node': this node is in the file twice; keep one row."},
    {"a name with two labels", kTwoEdges, "node,side\nAnn,a\n Ann ,b\n",
     "nodes.csv:row 3, column 'node': this node is in the file twice; keep one row."},
    {"a label without a node", kTwoEdges, "node,side\n,a\n",
     "nodes.csv:row 2, column 'node': the name of a node is missing; give every row both ends."},
    {"an empty node file", kTwoEdges, "\n", "nodes.csv: is empty; it needs a header and rows."},
    {"a node file with short rows", kTwoEdges, "node,side,age\n1,a\n",
     "nodes.csv:row 2: has 2 fields, but the first row has 3; each row needs as many."},
};

/// write_file() would wait for the disk each time.
std::string packed(const std::string& text) {
  const TemporaryFolder folder;
  gzFile file = gzopen(folder.file("x.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream stream(folder.file("x.gz"), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// What is said of the file, without the folder; "" if it is read.
std::string network_refusal_of(const std::string& name, const std::string& edges, const std::string& nodes = "") {
  const TemporaryFolder folder;
  datasets::network::NetworkFileOptions options;
  support::put_file(folder.file(name), edges);
  if (!nodes.empty()) support::put_file(options.node_file = folder.file("nodes.csv"), nodes);
  return support::refusal_in<DataError>(folder, [&] { datasets::network::read_network(folder.file(name), options); });
}

datasets::network::Network read_text(const std::string& edges) {
  const TemporaryFolder folder;
  support::put_file(folder.file("edges.csv"), edges);
  return datasets::network::read_network(folder.file("edges.csv"));
}

}  // namespace

TEST_CASE("every malformed network is refused with its file, its line and the way out", "[edge_list][fault]") {
  CHECK(std::size(kMalformedNetworks) >= 25);
  for (const MalformedNetwork& network : kMalformedNetworks) {
    INFO(network.what);
    CHECK(network_refusal_of("edges.csv", network.edges, network.nodes) == network.message);
  }
}

TEST_CASE("a packed network that is cut, damaged or none at all is refused", "[edge_list][fault]") {
  std::string text = "source,target\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919 % 10007) + "," + std::to_string(i) + "\n";
  const std::string bytes = packed(text);
  CHECK(network_refusal_of("edges.csv.gz", bytes).empty());
  for (const std::size_t size : {std::size_t{3}, std::size_t{11}, bytes.size() / 2, bytes.size() - 1})
    CHECK(network_refusal_of("edges.csv.gz", bytes.substr(0, size)).rfind("edges.csv.gz: ", 0) == 0);
  CHECK(network_refusal_of("edges.csv.gz", bytes.substr(0, bytes.size() / 2)) ==
        "edges.csv.gz: ends in the middle; it was cut, get it again.");
  for (const std::size_t place : {bytes.size() / 2, bytes.size() - 6}) {  // in the text, and in its checksum
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    CHECK(network_refusal_of("edges.csv.gz", damaged).rfind("edges.csv.gz:", 0) == 0);
  }
  CHECK(network_refusal_of("edges.csv.gz", text) ==
        "edges.csv.gz: is no gzip file though it ends in .gz; rename it, or pack it with gzip.");
  CHECK(network_refusal_of("edges.csv.gz", packed("source,target\n1,2\n1\n")) ==
        "edges.csv.gz:row 3: has 1 field, but the first row has 2; each row needs as many.");
}

TEST_CASE("networks that look odd but are not wrong are read", "[edge_list]") {
  CHECK(read_text("\xEF\xBB\xBFsource,target\r\n1,2\r\n\r\n2,3").edges.size() == 2);
  CHECK(read_text("# source,target\n1,2\n#2,3\n").edges.size() == 1);
  CHECK(read_text("source,target\n\"a,\r\nb\",c\n").names == std::vector<std::string>{"a,\r\nb", "c"});
  CHECK(read_text("source,target\nJos\xC3\xA9,\xE2\x82\xAC\n").names[0] == "Jos\xC3\xA9");
  CHECK(read_text("source,target,weight\n1,2,0\n").edges[0].weight == 0);
  // Numbers beyond 64 bits, with leading zeros or signs, are names like any other.
  const datasets::network::Network huge =
      read_text("source,target\n99999999999999999999,18446744073709551615\n-1,01\n");
  CHECK(huge.names == std::vector<std::string>{"99999999999999999999", "18446744073709551615", "-1", "01"});
  CHECK(read_text("source,target\n18446744073709551615,18446744073709551614\n").names[0] == "18446744073709551614");
  CHECK(read_text("source,target\n4294967295,4294967294\n").names[1] == "4294967295");
}

TEST_CASE("nodes are numbered alike whether their ids are short, long or names", "[edge_list][twin]") {
  // The same 3000 edges under four kinds of ids, the last two beginning as small numbers and going on otherwise.
  const auto read_as = [](auto id_of) {
    std::string text = "source,target,weight\n";
    std::uint64_t state = 3;
    for (int i = 0; i < 3000; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      text += id_of(i, (state >> 33) % 500) + "," + id_of(i, (state >> 45) % 500) + "," + std::to_string(i % 4) + "\n";
    }
    return read_text(text);
  };
  const auto plain = read_as([](int, std::uint64_t id) { return std::to_string(id); });
  const auto large = read_as([](int, std::uint64_t id) { return std::to_string(id + 12345678901234ULL); });
  const auto sparse = read_as([](int, std::uint64_t id) { return std::to_string(id * 8000000); });
  REQUIRE(plain.nodes == 500);
  for (const datasets::network::Network* other : {&large, &sparse}) {
    REQUIRE(other->edges.size() == plain.edges.size());
    for (std::size_t e = 0; e < plain.edges.size(); ++e) {
      CHECK(other->edges[e].source == plain.edges[e].source);
      CHECK(other->edges[e].target == plain.edges[e].target);
      CHECK(other->edges[e].weight == plain.edges[e].weight);
    }
  }
  CHECK(large.names[7] == "12345678901241");
  // Names keep the order in which they came, numbers before them too.
  const auto named = read_as([](int, std::uint64_t id) { return "n" + std::to_string(id); });
  const auto mixed = read_as([](int row, std::uint64_t id) { return std::to_string(id) + (row < 1000 ? "" : "x"); });
  CHECK(named.nodes == 500);
  CHECK(named.edges.size() == plain.edges.size());
  CHECK(mixed.nodes > 900);
  for (std::size_t node = 0; node < 400; ++node) CHECK("n" + mixed.names[node] == named.names[node]);
}
