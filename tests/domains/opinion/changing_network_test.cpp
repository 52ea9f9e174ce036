#include "fovea/domains/opinion/society/changing_network.hpp"
#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

using Pairs = std::set<std::pair<Index, Index>>;

society::Graph random_graph(Index nodes, double degree, bool directed, std::uint64_t seed) {
  society::Graph graph;
  graph.nodes = nodes;
  graph.directed = directed;
  graph.edges = society::erdos_renyi(nodes, degree, Random(seed));
  return graph;
}

void cut_all(society::ChangingNetwork& network, Index node) {
  for (Index e = network.edge_count() - 1; e >= 0; --e)
    if (network.edge(e)[0] == node || network.edge(e)[1] == node) network.remove_edge(e);
}

/// Rows, edges and numbers say the same, nothing twice.
void check_whole(const society::ChangingNetwork& network) {
  std::size_t ends = 0;
  for (Index i = 0; i < network.nodes(); ++i) {
    const auto near = network.neighbours(i);
    const auto edges = network.edges_of(i);
    REQUIRE(near.size() == edges.size());
    REQUIRE(std::is_sorted(near.begin(), near.end()));
    REQUIRE(std::adjacent_find(near.begin(), near.end()) == near.end());
    for (std::size_t k = 0; k < near.size(); ++k) {
      const society::Edge& edge = network.edge(static_cast<Index>(edges[k]));
      REQUIRE(static_cast<Index>(near[k]) != i);
      REQUIRE(((edge[1] == i && edge[0] == near[k]) || (!network.directed() && edge[0] == i && edge[1] == near[k])));
    }
    ends += near.size();
  }
  REQUIRE(ends == static_cast<std::size_t>(network.edge_count()) * (network.directed() ? 1 : 2));
}

Pairs pairs_of(std::span<const society::Edge> edges) {
  Pairs pairs;
  for (const society::Edge& edge : edges) pairs.emplace(edge[0], edge[1]);
  return pairs;
}

}  // namespace

TEST_CASE("a changing network stays whole through 5000 random changes and agrees with a plain set of pairs",
          "[opinion][network][property]") {
  for (const bool directed : {false, true}) {
    INFO("directed " << directed);
    const society::Graph start = random_graph(40, 4, directed, 3);
    society::ChangingNetwork network(start);
    Pairs plain = pairs_of(start.edges);
    const auto key = [&](Index a, Index b) { return directed || a < b ? std::pair(a, b) : std::pair(b, a); };
    const Random random(11);
    for (std::uint64_t k = 0; k < 5000; ++k) {
      const auto draw = [&](std::uint64_t place, Index count) {
        return static_cast<Index>(random.below(static_cast<std::uint64_t>(count), place, k));
      };
      const Index a = draw(0, 40), b = draw(1, 40), e = draw(2, network.edge_count());
      if (draw(3, 3) == 0 && a != b && !network.joined(a, b)) {
        network.add_edge(a, b);
        plain.insert(key(a, b));
      } else if (draw(3, 3) == 1 && network.edge_count() > 60) {
        plain.erase({network.edge(e)[0], network.edge(e)[1]});
        network.remove_edge(e);
      } else {
        const Index keeps = network.edge(e)[directed ? 1 : static_cast<std::size_t>(draw(4, 2))];
        if (a == keeps || network.joined(a, keeps)) continue;
        plain.erase({network.edge(e)[0], network.edge(e)[1]});
        network.move_edge(e, keeps, a);
        plain.insert(key(a, keeps));
      }
      if (k % 500 == 0) check_whole(network);
    }
    check_whole(network);
    CHECK(pairs_of(network.edges()) == plain);
    CHECK(network.moved() > 500);
    const society::Graph now = network.graph();
    CHECK(pairs_of(now.edges) == plain);
    CHECK(std::is_sorted(now.edges.begin(), now.edges.end()));
    cut_all(network, 7);
    for (const society::Edge& edge : network.edges()) CHECK((edge[0] != 7 && edge[1] != 7));
    check_whole(network);
  }
}

TEST_CASE("weights stay with their edges, and a state that was saved goes on in the same order", "[opinion][network]") {
  society::Graph graph{5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {1, 2, 3, 4}};
  society::ChangingNetwork network(graph);
  network.remove_edge(0);
  network.move_edge(network.edge_between(2, 1), 1, 4);
  CHECK(network.weight(network.edge_between(1, 4)) == 2);
  CHECK(network.weight(network.edge_between(3, 4)) == 4);
  CHECK(network.edge(0) == society::Edge{3, 4});
  society::ChangingNetwork back(graph);
  restore_state(saved_state(network), back);
  CHECK(std::equal(back.edges().begin(), back.edges().end(), network.edges().begin(), network.edges().end()));
  CHECK(back.graph().weights == network.graph().weights);
  CHECK(back.moved() == 1);
  check_whole(back);
  network.add_edge(0, 2, 0.5);
  CHECK(network.weight(network.edge_between(0, 2)) == 0.5);
}

TEST_CASE("a network with multiple edges keeps each of them through 3000 moves", "[opinion][network][property]") {
  const society::Graph start = random_graph(12, 4, false, 3);
  society::ChangingNetwork network(start, true), back(start, true);
  std::multiset<std::pair<Index, Index>> plain;
  for (const society::Edge& edge : start.edges) plain.emplace(edge[0], edge[1]);
  for (std::uint64_t k = 0; k < 3000; ++k) {
    const Index e = static_cast<Index>(Random(5).below(static_cast<std::uint64_t>(network.edge_count()), 0, k));
    const Index keeps = network.edge(e)[Random(5).below(2, 2, k)];
    const Index other = static_cast<Index>(Random(5).below(11, 1, k)), to = other + (other >= keeps ? 1 : 0);
    plain.erase(plain.find({network.edge(e)[0], network.edge(e)[1]}));
    network.move_edge(e, keeps, to);
    plain.emplace(std::min(keeps, to), std::max(keeps, to));
  }
  std::multiset<std::pair<Index, Index>> found;
  for (const society::Edge& edge : network.edges()) found.emplace(edge[0], edge[1]);
  CHECK(found == plain);
  std::size_t ends = 0;
  for (Index i = 0; i < 12; ++i) {
    for (Index k = 0; k < network.degree(i); ++k) {
      const std::size_t place = k;
      const society::Edge& edge = network.edge(static_cast<Index>(network.edges_of(i)[place]));
      const Index near = network.neighbours(i)[place];
      CHECK(edge == society::Edge{std::min(i, near), std::max(i, near)});
    }
    ends += network.degree(i);
  }
  CHECK(ends == 2 * start.edges.size());
  const society::Graph simple = network.graph();
  const double weight = std::accumulate(simple.weights.begin(), simple.weights.end(), 0.0);
  CHECK(weight == static_cast<double>(start.edges.size()));
  CHECK(std::adjacent_find(simple.edges.begin(), simple.edges.end()) == simple.edges.end());
  restore_state(saved_state(network), back);
  for (Index i = 0; i < 12; ++i)
    CHECK(std::equal(back.edges_of(i).begin(), back.edges_of(i).end(), network.edges_of(i).begin(),
                     network.edges_of(i).end()));
}

TEST_CASE("a changing network refuses what would not be simple", "[opinion][network][messages]") {
  society::ChangingNetwork network({4, {{0, 1}, {1, 2}}, {}});
  CHECK_THROWS_WITH(network.add_edge(2, 2), "ChangingNetwork: node 2 cannot have an edge to itself.");
  CHECK_THROWS_WITH(network.add_edge(1, 0), "ChangingNetwork: 1 and 0 have an edge already.");
  CHECK_THROWS_WITH(network.add_edge(1, 4), "ChangingNetwork: there is no node 4; the nodes are 0 to 3.");
  CHECK_THROWS_WITH(network.remove_edge(2), "ChangingNetwork: there is no edge 2; there are 2 edges.");
  CHECK_THROWS_WITH(network.move_edge(0, 2, 3), "ChangingNetwork: node 2 is no end of the edge 0 - 1.");
  CHECK_THROWS_WITH(network.move_edge(0, 1, 2), "ChangingNetwork: 2 and 1 have an edge already.");
  CHECK_THROWS_WITH(society::ChangingNetwork({3, {{0, 1}, {1, 0}}, {}}),
                    "ChangingNetwork: the edge between 1 and 0 is given twice.");
}

TEST_CASE("every model on a network goes on as on the new one once edges have changed", "[opinion][models][network]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (entry.rule.update == dynamics::Update::contacts) continue;
    INFO(entry.name);
    const society::Graph graph = random_graph(30, 4, false, 5);
    society::ChangingNetwork other(graph);
    cut_all(other, 3);
    other.add_edge(0, 3);
    const society::Graph changed = other.graph();
    dynamics::ModelSettings settings;
    settings.model = std::string(entry.name);
    dynamics::Agents agents;
    agents.start.resize(30, entry.rule.update == dynamics::Update::project ? 2 : 1);
    for (Index k = 0; k < agents.start.size(); ++k)
      agents.start.data()[k] = entry.rule.update.imitates ? static_cast<double>(k % 2)
                                                          : Random(9).uniform(static_cast<std::uint64_t>(k)) - 0.5;
    const auto crowd = dynamics::make_dynamics(settings, agents, &graph, Random(4));
    const auto fresh = dynamics::make_dynamics(settings, agents, &changed, Random(4));
    REQUIRE(crowd->change_network() != nullptr);
    cut_all(*crowd->change_network(), 3);
    crowd->change_network()->add_edge(0, 3);
    Matrix<double> x = crowd->agents().start, y = x;
    for (int step = 0; step < 5; ++step) {
      crowd->step(x, step);
      fresh->step(y, step);
    }
    CHECK(x == y);
  }
}
