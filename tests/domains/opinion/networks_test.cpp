#include "fovea/domains/opinion/society/networks.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/temperature/observe.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kNetworksRounding = 1e-12;
// A binomial count is within 5 standard deviations of its mean except once in 1.7 million seeds; the seed is fixed.
constexpr double kDeviations = 5;

/// The share of closed triangles at a node, mean over nodes (Watts and Strogatz 1998); 0 at a node of degree < 2.
double clustering(const society::Graph& graph) {
  const datasets::network::Adjacency near = society::adjacency(graph);
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(graph.nodes); ++i) {
    const auto mine = near.of(i);
    if (mine.size() < 2) continue;
    std::size_t closed = 0;
    for (const std::uint32_t j : mine) {
      const auto theirs = near.of(j);
      for (const std::uint32_t k : mine) closed += std::binary_search(theirs.begin(), theirs.end(), k) ? 1 : 0;
    }
    sum += static_cast<double>(closed) / static_cast<double>(mine.size() * (mine.size() - 1));
  }
  return sum / static_cast<double>(graph.nodes);
}

bool is_simple(const std::vector<society::Edge>& edges, Index nodes) {
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (edges[k][0] >= edges[k][1] || edges[k][0] < 0 || edges[k][1] >= nodes) return false;
    if (k > 0 && !(edges[k - 1] < edges[k])) return false;
  }
  return true;
}

bool is_binomial(std::size_t count, double trials, double p) {
  return std::abs(static_cast<double>(count) - trials * p) <= kDeviations * std::sqrt(trials * p * (1 - p));
}

/// Two triangles joined by one edge.
society::Graph two_triangles() { return {6, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}}, {}}; }

const std::vector<Index> kTriangles{0, 0, 0, 1, 1, 1};

}  // namespace

TEST_CASE("Erdos-Renyi has the expected number of edges and degrees that sum to twice that", "[network][statistics]") {
  const Index n = 3000;
  const std::vector<society::Edge> edges = society::erdos_renyi(n, 8.0, Random(1));
  CHECK(is_simple(edges, n));
  CHECK(is_binomial(edges.size(), 0.5 * 3000 * 2999, 8.0 / 2999));
  const std::vector<Index> degree = society::degrees({n, edges, {}});
  CHECK(std::accumulate(degree.begin(), degree.end(), Index{0}) == 2 * static_cast<Index>(edges.size()));
  double squares = 0;  // Poisson(8) degrees: variance 8, standard error of it 8 sqrt(2 / n) = 0.21
  for (const Index k : degree) squares += (static_cast<double>(k) - 8) * (static_cast<double>(k) - 8);
  CHECK(std::abs(squares / 3000 - 8) < kDeviations * 0.22);
}

TEST_CASE("Erdos-Renyi at its limits is empty and complete", "[network][limit]") {
  CHECK(society::erdos_renyi(10, 0.0, Random(1)).empty());
  CHECK(society::erdos_renyi(10, 9.0, Random(1)).size() == 45);
  CHECK(is_simple(society::erdos_renyi(10, 9.0, Random(1)), 10));
}

TEST_CASE("Barabasi-Albert has exactly its number of edges and a heavy tail", "[network][property]") {
  const Index n = 4000, links = 3;
  const std::vector<society::Edge> edges = society::barabasi_albert(n, links, Random(2));
  CHECK(is_simple(edges, n));
  CHECK(static_cast<Index>(edges.size()) == links * (links + 1) / 2 + (n - links - 1) * links);
  const std::vector<Index> degree = society::degrees({n, edges, {}});
  CHECK(*std::min_element(degree.begin(), degree.end()) == links);
  // P(degree = 3) = 2 / (links + 2) = 0.4 for large n (Bollobas et al. 2001)
  CHECK(std::abs(static_cast<double>(std::count(degree.begin(), degree.end(), links)) / 4000.0 - 0.4) < 0.04);
  CHECK(*std::max_element(degree.begin(), degree.end()) > 80);  // ~ links sqrt(n) = 190; even growth would give ~ 25
}

TEST_CASE("a Watts-Strogatz ring has the clustering 3 (k - 2) / (4 (k - 1)), and rewiring keeps its edges",
          "[network][limit]") {
  const Index n = 500, k = 6;
  const std::vector<society::Edge> ring = society::watts_strogatz(n, k, 0.0, Random(3));
  CHECK(is_simple(ring, n));
  CHECK(static_cast<Index>(ring.size()) == n * k / 2);
  CHECK(std::abs(clustering({n, ring, {}}) - 3.0 * 4 / (4 * 5)) < kNetworksRounding);
  const std::vector<society::Edge> random = society::watts_strogatz(n, k, 1.0, Random(3));
  CHECK(is_simple(random, n));
  CHECK(random.size() == ring.size());
  CHECK(clustering({n, random, {}}) < 0.05);
  std::size_t kept = 0;
  const std::vector<society::Edge> some = society::watts_strogatz(n, k, 0.2, Random(3));
  for (const society::Edge& edge : some) kept += std::binary_search(ring.begin(), ring.end(), edge) ? 1 : 0;
  CHECK(is_binomial(kept, 1500, 0.8));  // a moved edge lands on the ring once in a hundred times
}

TEST_CASE("a block model has the densities it was asked for", "[network][statistics]") {
  const Index n = 2000, blocks = 4;
  const std::vector<society::Edge> edges = society::block_model(n, blocks, 12.0, 3.0, Random(4));
  CHECK(is_simple(edges, n));
  const std::vector<Index> block = society::block_of_nodes(n, blocks);
  std::size_t inside = 0;
  for (const society::Edge& edge : edges) inside += block[edge[0]] == block[edge[1]] ? 1 : 0;
  CHECK(is_binomial(inside, 4 * 0.5 * 500 * 499, 12.0 / 499));
  CHECK(is_binomial(edges.size() - inside, 6.0 * 500 * 500, 3.0 / 1500));
  CHECK(society::block_model(7, 3, 1.0, 4.5, Random(4)).size() > 0);  // uneven blocks
  CHECK(society::block_of_nodes(7, 3) == std::vector<Index>{0, 0, 0, 1, 1, 2, 2});
}

TEST_CASE("the parts of a network are put into words", "[network]") {
  society::Graph graph{7, {{0, 1}, {1, 2}}, {}};
  CHECK(society::parts_in_words(graph) == "4 nodes have no edge.");
  graph.edges.push_back({3, 4});
  CHECK(society::parts_in_words(graph) == "It has 2 parts without an edge between them. 2 nodes have no edge.");
  graph.edges.insert(graph.edges.end(), {{2, 3}, {4, 5}, {5, 6}});
  CHECK(society::parts_in_words(graph).empty());
}

TEST_CASE("equal streams give equal networks and different seeds different ones", "[network][property]") {
  CHECK(society::erdos_renyi(200, 6, Random(5)) == society::erdos_renyi(200, 6, Random(5)));
  CHECK(society::erdos_renyi(200, 6, Random(5)) != society::erdos_renyi(200, 6, Random(6)));
  CHECK(society::barabasi_albert(200, 2, Random(5)) != society::barabasi_albert(200, 2, Random(6)));
  CHECK(society::watts_strogatz(200, 4, 0.3, Random(5)) != society::watts_strogatz(200, 4, 0.3, Random(6)));
}

TEST_CASE("a network that cannot be is refused with the value and the rule", "[network][errors]") {
  CHECK_THROWS_WITH(society::erdos_renyi(5, 7.0, Random(1)),
                    "erdos_renyi: mean_degree = 7, but must be in [0, nodes - 1] = [0, 4].");
  CHECK_THROWS_AS(society::erdos_renyi(1, 0.0, Random(1)), ArgumentError);
  CHECK_THROWS_AS(society::barabasi_albert(5, 5, Random(1)), ArgumentError);
  CHECK_THROWS_AS(society::watts_strogatz(10, 3, 0.1, Random(1)), ArgumentError);
  CHECK_THROWS_AS(society::block_model(10, 6, 1, 1, Random(1)), ArgumentError);
  CHECK_THROWS_AS(society::block_model(10, 2, 5, 1, Random(1)), ArgumentError);
}

TEST_CASE("modularity and assortativity of two joined triangles are those worked out by hand", "[graph]") {
  // 7 edges, 3 inside each group, degree sum 7 each: Q = 2 (3/7 - 1/4) = 5/14; r = (6/7 - 1/2) / (1/2) = 5/7
  CHECK(std::abs(society::modularity(two_triangles(), kTriangles) - 5.0 / 14) < kNetworksRounding);
  CHECK(std::abs(society::assortativity(two_triangles(), kTriangles) - 5.0 / 7) < kNetworksRounding);
  society::Graph weighted = two_triangles();
  weighted.weights = {1, 1, 1, 8, 1, 1, 1};  // W = 14, each side 3 inside and degree sum 14
  Random random(3);
  for (std::uint64_t draw = 0; draw < 200; ++draw) {  // of edges inside alone, whatever the rounding of their sums
    society::Graph inside{6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}, {}};
    for (std::uint64_t e = 0; e < 6; ++e) inside.weights.push_back(random.uniform(e, draw));
    CHECK(society::ei_index(inside, kTriangles) >= -1);
    CHECK(society::assortativity(inside, kTriangles) <= 1);
  }
  CHECK(std::abs(society::modularity(weighted, kTriangles) - 2 * (3.0 / 14 - 0.25)) < kNetworksRounding);
  const std::vector<Index> one(6, 0);
  CHECK(society::modularity(two_triangles(), one) == 0.0);
  CHECK(std::isnan(society::assortativity(two_triangles(), one)));
  CHECK_THROWS_AS(society::modularity(two_triangles(), std::vector<Index>{0}), ArgumentError);
}

TEST_CASE("label propagation solves the harmonic equations and leaves the unreachable at 0", "[graph]") {
  // A path -1, a, b, +1 with weights 1, 1, 2: a = (-1 + b) / 2, b = (a + 2) / 3, so a = -1/5, b = 3/5.
  const society::Graph path{5, {{0, 1}, {1, 2}, {2, 3}}, {1, 1, 2}};
  const std::vector<std::uint8_t> known{1, 0, 0, 1, 0};
  const std::vector<double> value = society::label_propagation(path, std::vector<double>{-1, 0, 0, 1, 0}, known);
  constexpr double kConverged = 1e-8;  // stops at changes of 1e-9, which shrink by 1/sqrt(6) a round
  CHECK(std::abs(value[1] + 0.2) < kConverged);
  CHECK(std::abs(value[2] - 0.6) < kConverged);
  CHECK(value[4] == 0.0);
  CHECK(society::reachable(path, known) == std::vector<std::uint8_t>{1, 1, 1, 1, 0});
  CHECK_THROWS_AS(society::label_propagation(path, std::vector<double>{1}, known), ArgumentError);
}

TEST_CASE("connected parts are numbered by their first node", "[graph]") {
  const society::Graph graph{7, {{4, 0}, {2, 5}, {5, 6}}, {}};
  CHECK(society::connected_parts(graph) == std::vector<Index>{0, 1, 2, 3, 0, 2, 2});
  CHECK(society::connected_parts({0, {}, {}}).empty());
}

TEST_CASE("a graph's rows hold every edge at both ends, ascending, whatever the order of the edges", "[graph][twin]") {
  const std::vector<society::Edge> edges = society::erdos_renyi(60, 9.0, Random(8));
  REQUIRE(edges.size() % 7 != 0);  // then steps of 7 take every edge once
  society::Graph graph{60, {}, {}};
  std::vector<std::vector<double>> table(60, std::vector<double>(60, 0.0));
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const society::Edge edge = edges[k * 7 % edges.size()];
    graph.edges.push_back(k % 2 == 0 ? edge : society::Edge{edge[1], edge[0]});
    graph.weights.push_back(static_cast<double>(k + 1));
    table[edge[0]][edge[1]] = graph.weights.back();
    table[edge[1]][edge[0]] = graph.weights.back();
  }
  const datasets::network::Adjacency rows = society::adjacency(graph);
  REQUIRE(rows.neighbours.size() == 2 * edges.size());
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK(std::is_sorted(rows.of(i).begin(), rows.of(i).end()));
    for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
      CHECK(rows.weight(k) == std::exchange(table[i][rows.neighbours[k]], 0.0));  // each once
  }
  graph.weights.clear();
  CHECK(society::adjacency(graph).neighbours == rows.neighbours);
  CHECK(society::adjacency(graph).weights.empty());
  CHECK(society::adjacency(graph).weight(3) == 1);
  CHECK(society::adjacency({0, {}, {}}).offsets == std::vector<std::size_t>{0});
}

TEST_CASE("consensus is one camp, or on a network one camp in each connected part", "[graph][measures]") {
  society::Population population;
  population.anchors = Matrix<double>::Zero(4, 1);
  Matrix<double> pairs(4, 1);
  pairs << -1, -1, 1, 1;
  CHECK_FALSE(temperature::Observer(population, {}).consensus(pairs));
  CHECK(temperature::Observer(population, {}).consensus(Matrix<double>::Ones(4, 1)));
  population.graph = std::make_shared<society::Graph>(society::Graph{4, {{0, 1}, {2, 3}}, {}});
  CHECK(temperature::Observer(population, {}).consensus(pairs));
  population.graph = std::make_shared<society::Graph>(society::Graph{4, {{0, 1}, {1, 2}, {2, 3}}, {}});
  CHECK_FALSE(temperature::Observer(population, {}).consensus(pairs));
}

TEST_CASE("of several camps the expected lifetime is that of the two that merge first", "[measures]") {
  society::Population population;
  population.anchors.resize(4, 1);
  population.anchors << -1.5, 0, 0, 0.9;  // the near pair has sizes 2 and 1, the far pairs live longer
  dynamics::ModelSettings settings;
  settings.temperature = 0.05;
  dynamics::Agents agents;
  agents.start = population.anchors;
  const auto crowd = dynamics::make_dynamics(settings, agents, nullptr, Random(1));
  const temperature::Observer observer(population, {});
  const std::vector<double> record = observer.record(*crowd, population.anchors, {});
  CHECK(observer.view(record)["camp_lifetime"] == theory::camp_lifetime(0.9, 0.05, 2, 1));
}

TEST_CASE("hearing lists hold the neighbours and oneself, ascending, with the logs of the weights", "[graph]") {
  const society::Graph path{3, {{0, 1}, {1, 2}}, {4, 2}};
  const NeighbourLists lists = society::hearing_lists(path, 3.0);
  CHECK(lists.offsets == std::vector<Index>{0, 2, 5, 7});
  CHECK(lists.keys == std::vector<Index>{0, 1, 0, 1, 2, 1, 2});
  const double four = std::log(4.0), two = std::log(2.0), self = std::log(3.0);
  CHECK(lists.bias == std::vector<double>{self, four, four, self, two, two, self});
  CHECK_THROWS_AS(society::hearing_lists(path, 0.0), ArgumentError);
  CHECK_THROWS_AS(society::hearing_lists({2, {{0, 2}}, {}}, 1.0), ArgumentError);
  CHECK_THROWS_AS(society::hearing_lists({2, {{0, 1}}, {1, 1}}, 1.0), ArgumentError);
}

TEST_CASE("a drawing fills the unit square and keeps neighbours near", "[graph][property]") {
  const Matrix<double> place = society::layout(two_triangles());
  CHECK(place.minCoeff() >= 0);
  CHECK(place.maxCoeff() <= 1);
  CHECK((place.row(0) - place.row(1)).norm() < (place.row(0) - place.row(4)).norm());
  CHECK((place.row(4) - place.row(5)).norm() < (place.row(1) - place.row(5)).norm());
  CHECK(society::layout(two_triangles()) == place);
  CHECK(society::layout({1, {}, {}}).allFinite());
}

TEST_CASE("a drawing of many nodes keeps two blocks apart from left to right, and the unconnected below",
          "[graph][property]") {
  society::Graph graph{640, society::block_model(600, 2, 10.0, 0.5, Random(9)), {}};
  const Matrix<double> place = society::layout(graph);
  CHECK(place.minCoeff() >= 0);
  CHECK(place.maxCoeff() <= 1);
  const double left = place.col(0).head(300).mean(), right = place.col(0).segment(300, 300).mean();
  std::size_t nearer = 0;
  for (Index i = 0; i < 600; ++i)
    nearer +=
        std::abs(place(i, 0) - (i < 300 ? left : right)) < std::abs(place(i, 0) - (i < 300 ? right : left)) ? 1 : 0;
  CHECK(nearer > 550);
  const std::vector<Index> degree = society::degrees(graph);
  double lowest = 1;
  for (Index i = 0; i < 600; ++i)
    if (degree[i] > 0) lowest = std::min(lowest, place(i, 1));
  CHECK(place.col(1).tail(40).maxCoeff() < lowest);
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  CHECK(society::layout(graph) == place);
  omp_set_num_threads(before);
}
