#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

std::vector<std::uint32_t> neighbours(const datasets::network::Adjacency& rows, std::size_t node) {
  return {rows.of(node).begin(), rows.of(node).end()};
}

std::vector<double> weights(const datasets::network::Adjacency& rows, std::size_t node) {
  return {rows.weights_of(node).begin(), rows.weights_of(node).end()};
}

datasets::network::Network read(const std::string& edges, datasets::network::NetworkFileOptions options = {},
                                const std::string& nodes = "") {
  const TemporaryFolder folder;
  write_file(folder.file("edges.csv"), edges);
  if (!nodes.empty()) {
    write_file(folder.file("nodes.csv"), nodes);
    options.node_file = folder.file("nodes.csv");
  }
  return datasets::network::read_network(folder.file("edges.csv"), options);
}

std::string edges_refusal(const std::string& edges, const std::string& nodes = "") {
  const std::string text = support::refusal_of<DataError>([&] { read(edges, {}, nodes); });
  return text.empty()
             ? ""
             : text.substr(text.find("/fovea-test-")).substr(text.substr(text.find("/fovea-test-")).find('/', 1) + 1);
}

}  // namespace

TEST_CASE("an undirected network holds every edge in both directions, sorted and merged", "[network]") {
  const datasets::network::Network network =
      datasets::network::make_network(4, {{2, 1, 0.5}, {0, 2, 1}, {1, 2, 2}, {3, 3, 9}, {0, 1, 3}});
  CHECK(network.self_loops == 1);
  CHECK(network.merged == 1);
  REQUIRE(network.edges.size() == 3);
  CHECK(network.edges[2].source == 1);
  CHECK(network.edges[2].target == 2);
  CHECK(network.edges[2].weight == 2.5);
  CHECK(neighbours(datasets::network::outgoing(network), 0) == std::vector<std::uint32_t>{1, 2});
  CHECK(neighbours(datasets::network::outgoing(network), 2) == std::vector<std::uint32_t>{0, 1});
  CHECK(weights(datasets::network::outgoing(network), 2) == std::vector<double>{1, 2.5});
  CHECK(neighbours(datasets::network::incoming(network), 1) == std::vector<std::uint32_t>{0, 2});
  CHECK(neighbours(datasets::network::outgoing(network), 3).empty());
  CHECK(network.names == std::vector<std::string>{"0", "1", "2", "3"});
}

TEST_CASE("a directed network keeps both directions apart", "[network]") {
  const datasets::network::Network network =
      datasets::network::make_network(3, {{1, 0, 1}, {0, 1, 2}, {2, 0, 4}, {1, 0, 8}}, true);
  CHECK(network.edges.size() == 3);
  CHECK(neighbours(datasets::network::outgoing(network), 1) == std::vector<std::uint32_t>{0});
  CHECK(weights(datasets::network::outgoing(network), 1) == std::vector<double>{9});
  CHECK(neighbours(datasets::network::incoming(network), 0) == std::vector<std::uint32_t>{1, 2});
  CHECK(weights(datasets::network::incoming(network), 0) == std::vector<double>{9, 4});
  CHECK(neighbours(datasets::network::incoming(network), 2).empty());
}

TEST_CASE("a network is the same whatever the order of its edges, and agrees with a plain table", "[network][twin]") {
  std::vector<datasets::network::NetworkEdge> edges;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> table;
  std::uint64_t state = 7;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto a = static_cast<std::uint32_t>((state >> 20) % 50), b = static_cast<std::uint32_t>((state >> 40) % 50);
    edges.push_back({a, b, 1.0 + i % 3});
    if (a != b) table[{std::min(a, b), std::max(a, b)}] += 1.0 + i % 3;  // small whole numbers: the sums are exact
  }
  const datasets::network::Network network = datasets::network::make_network(50, edges);
  std::reverse(edges.begin(), edges.end());
  const datasets::network::Network reversed = datasets::network::make_network(50, edges);
  REQUIRE(network.edges.size() == table.size());
  auto expected = table.begin();
  for (const datasets::network::NetworkEdge& edge : network.edges) {
    CHECK(std::pair(edge.source, edge.target) == expected->first);
    CHECK(edge.weight == expected->second);
    ++expected;
  }
  CHECK(datasets::network::outgoing(network).neighbours == datasets::network::outgoing(reversed).neighbours);
  CHECK(datasets::network::outgoing(network).weights == datasets::network::outgoing(reversed).weights);
  const datasets::network::Adjacency rows = datasets::network::outgoing(network);
  for (std::size_t node = 0; node < 50; ++node)
    for (const std::uint32_t other : rows.of(node)) {
      CHECK(table.contains({std::min<std::uint32_t>(static_cast<std::uint32_t>(node), other),
                            std::max<std::uint32_t>(static_cast<std::uint32_t>(node), other)}));
    }
}

TEST_CASE("a network refuses nodes that are not there and weights that are none", "[network]") {
  CHECK_THROWS_AS(datasets::network::make_network(2, {{0, 2, 1}}), ArgumentError);
  CHECK_THROWS_AS(datasets::network::make_network(2, {{0, 1, -1}}), ArgumentError);
  CHECK_THROWS_AS(datasets::network::make_network(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}}),
                  ArgumentError);
  CHECK(datasets::network::outgoing(datasets::network::make_network(0, {})).offsets == std::vector<std::size_t>{0});
}

TEST_CASE("an edge list is read with or without header, weights and comments", "[edge_list]") {
  for (const char* text : {"# made by hand\nsource,target,weight\n10,2,0.5\n2,7,\n", "10,2,0.5\n# more\n2,7,1\n",
                           "weight,x,target,source\n0.5,?,2,10\n1,?,7,2\n"}) {
    const datasets::network::Network network = read(text);
    CHECK(network.names == std::vector<std::string>{"2", "7", "10"});
    CHECK(neighbours(datasets::network::outgoing(network), 0) == std::vector<std::uint32_t>{1, 2});
    CHECK(weights(datasets::network::outgoing(network), 0) == std::vector<double>{1, 0.5});
  }
  const datasets::network::Network named = read("source,target\nZoe, Ann\nAnn,Bob\n007,7\n");
  CHECK(named.names == std::vector<std::string>{"Zoe", "Ann", "Bob", "007", "7"});
  const datasets::network::Network large = read("source,target\n18446744073709551615,20000000\n3,20000000\n");
  CHECK(large.names == std::vector<std::string>{"3", "20000000", "18446744073709551615"});
  CHECK_THROWS_AS(read("source,target\n"), DataError);  // no edges
}

TEST_CASE("an edge list is read as people write it", "[edge_list]") {
  const datasets::network::Network plain = read("source,target,weight\nJos\xC3\xA9,Ann,1.5\nAnn,Bob,\n");
  for (const char* text : {"source;target;weight\nJos\xE9;Ann;1,5\nAnn;Bob;NA\n",
                           "source\ttarget\tweight\nJos\xC3\xA9\tAnn\t1,5\nAnn\tBob\t\n",
                           "source,target,weight\rJos\xC3\xA9,Ann,1.5\rAnn,Bob,NA\r"}) {
    const datasets::network::Network network = read(text);
    CHECK(network.names == plain.names);
    CHECK(weights(datasets::network::outgoing(network), 1) == weights(datasets::network::outgoing(plain), 1));
  }
}

TEST_CASE("a directed list may keep self-loops and negative weights, and refuse edges given again", "[edge_list]") {
  const std::string text = "source,target,weight\n1,2,-3\n2,1,4\n1,1,5\n1,2,0.5\n";
  const datasets::network::Network network = read(text, {.directed = true, .keep_loops = true, .negative = true});
  REQUIRE(network.edges.size() == 3);
  CHECK(network.edges[0].weight == 5);
  CHECK(network.edges[1].weight == -2.5);
  CHECK(network.self_loops == 1);
  CHECK_THROWS_AS(read(text, {.directed = true, .negative = true, .refuse_parallel = true}), DataError);
  CHECK_THROWS_AS(read("source,target\n1,2\n2,1\n", {.refuse_parallel = true}), DataError);
}

TEST_CASE("edges given again add up, or count once without weights", "[edge_list]") {
  const std::string text = "source,target,weight\n1,2,3\n2,1,4\n1,1,5\n1,2,0.5\n";
  const datasets::network::Network sum = read(text);
  CHECK(sum.edges.at(0).weight == 7.5);
  CHECK(sum.merged == 2);
  CHECK(sum.self_loops == 1);
  const datasets::network::Network plain = read(text, {.weighted = false});
  CHECK(plain.edges.at(0).weight == 1);
  CHECK(datasets::network::outgoing(plain).weights == std::vector<double>{1, 1});
  CHECK(datasets::network::incoming(plain).weights == std::vector<double>{1, 1});
  const datasets::network::Network directed = read(text, {.directed = true});
  CHECK(directed.edges.size() == 2);
  CHECK(datasets::network::incoming(directed).weights_of(0)[0] == 4);
}

TEST_CASE("labels find their nodes, and nodes without edges come from the node file", "[edge_list]") {
  const datasets::network::Network network =
      read("source,target\n3,1\n1,5\n", {}, "side,node,name\nleft,5,five\nright,3,\"three, the\"\nleft,9,nine\n");
  CHECK(network.names == std::vector<std::string>{"1", "3", "5", "9"});
  CHECK(network.labels.at("side") == std::vector<std::string>{"", "right", "left", "left"});
  CHECK(network.labels.at("name") == std::vector<std::string>{"", "three, the", "five", "nine"});
  CHECK(datasets::network::outgoing(network).of(3).empty());
}

TEST_CASE("mistakes in an edge list are told with row and column", "[edge_list][fault]") {
  CHECK(edges_refusal("source,target,weight\n1,2,-1\n") ==
        "edges.csv:row 2, column 'weight': the weight is -1; it must be finite and >= 0.");
  CHECK(edges_refusal("source,target,weight\n1,2,nan\n").find("the weight is nan; it must be finite") !=
        std::string::npos);
  CHECK(edges_refusal("source,target,weight\n1,2,inf\n").find("the weight is inf; it must be finite") !=
        std::string::npos);
  CHECK(edges_refusal("source,target,weight\n1,2,x\n").find("'x' is not a number") != std::string::npos);
  CHECK(edges_refusal("source,target\n1,\n") ==
        "edges.csv:row 2, column 'target': the name of a node is missing; give every row both ends.");
  CHECK(
      edges_refusal("sender,receiver\na,b\n") ==
      "edges.csv: has no columns 'source' and 'target' but 2 others, the first 'sender'; name them in the first line.");
  CHECK(edges_refusal("source,target\n1,2\n", "node,side\n1,a\n1,b\n") ==
        "nodes.csv:row 3, column 'node': this node is in the file twice; keep one row.");
  CHECK(edges_refusal("source,target\n1,2\n", "name,side\n1,a\n") ==
        "nodes.csv: has no column 'node'; there are: 'name', 'side'.");
}

TEST_CASE("the karate club is the published one", "[karate_club][golden]") {
  const datasets::network::Network club = datasets::network::karate_club();
  CHECK(club.nodes == 34);
  CHECK(club.edges.size() == 78);
  CHECK(club.self_loops + club.merged == 0);
  CHECK(std::count(club.labels.at("club").begin(), club.labels.at("club").end(), "Officer") == 17);
  datasets::text::CsvReader reader(
      support::golden("networks/karate_club.csv"));  // from networkx; see karate_club.py beside it
  std::size_t edges = 0, nodes = 0;
  while (reader.next()) {
    if (reader.text(0) == "node") {
      CHECK(club.labels.at("club").at(reader.whole(1)) == reader.text(2));
      ++nodes;
      continue;
    }
    const datasets::network::NetworkEdge& edge = club.edges.at(edges++);
    CHECK(edge.source == reader.whole(1));
    CHECK(edge.target == reader.whole(2));
    CHECK(edge.weight == reader.number(3));
  }
  CHECK(edges == 78);
  CHECK(nodes == 34);
  CHECK(datasets::network::outgoing(club).of(33).size() == 17);  // the officer's friends
}
