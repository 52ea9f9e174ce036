#include "fovea/domains/opinion/measures/controversy.hpp"

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/datasets/network/network_file.hpp"
#include "fovea/domains/opinion/society/networks.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kWalkSolved = 1e-10;  // a residual of 1e-13, times the condition of the small networks here

society::Graph graph_of(const datasets::network::Network& network) {
  society::Graph graph{static_cast<Index>(network.nodes), {}, {}};
  for (const datasets::network::NetworkEdge& edge : network.edges) graph.edges.push_back({edge.source, edge.target});
  return graph;
}

/// Group numbers in the alphabetical order of the labels.
std::vector<Index> groups_of(const std::vector<std::string>& labels) {
  std::vector<std::string> names = labels;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Index> group;
  for (const std::string& label : labels)
    group.push_back(std::lower_bound(names.begin(), names.end(), label) - names.begin());
  return group;
}

/// The walk as a dense linear system, all of one part, with hubs given by hand.
double plain_controversy(const society::Graph& graph, const std::vector<Index>& side, const std::vector<Index>& hubs) {
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(graph.nodes, graph.nodes);
  Eigen::VectorXd ends = Eigen::VectorXd::Zero(graph.nodes), weight = Eigen::VectorXd::Zero(graph.nodes);
  const auto is_hub = [&](Index i) { return std::find(hubs.begin(), hubs.end(), i) != hubs.end(); };
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    for (const Index node : graph.edges[e]) weight[node] += graph.weight(e);
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    for (const int from : {0, 1}) {
      const Index a = graph.edges[e][from], b = graph.edges[e][1 - from];
      if (!is_hub(a)) system(a, b) -= graph.weight(e) / weight[a];
    }
  for (const Index hub : hubs) ends[hub] = side[hub] == 0 ? 1 : 0;
  const Eigen::VectorXd to_0 = system.partialPivLu().solve(ends);
  double from[2] = {0, 0}, count[2] = {0, 0};
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i] > 1) continue;
    from[side[i]] += to_0[static_cast<Index>(i)];
    ++count[side[i]];
  }
  const double a = from[0] / count[0], b = from[1] / count[1];
  const double p00 = a / (a + b), p10 = b / (a + b), p01 = (1 - a) / (2 - a - b), p11 = (1 - b) / (2 - a - b);
  return p00 * p11 - p10 * p01;
}

}  // namespace

TEST_CASE("a walk on a path of four is worked out by hand", "[graph][controversy]") {
  // 0 - 1 - 2 - 3, sides 0 0 1 1; hubs by degree are 1 and 2. A walk from 0 goes to 1 and from 3 to 2: all stay.
  const society::Graph path{4, {{0, 1}, {1, 2}, {2, 3}}, {}};
  CHECK(measures::random_walk_controversy(path, std::vector<Index>{0, 0, 1, 1}, 1) == 1);
  // Sides 0 1 1 0: hubs 0 (side 0, first of two of degree 1) and 1 (side 1). From 3 the walk ends at 1; from 2 too.
  // End on 0: from side 0 1/2, from side 1 0. P00 = 1, P10 = 0, P01 = (1/2) / (3/2), P11 = 2/3: RWC = 2/3.
  CHECK(std::abs(measures::random_walk_controversy(path, std::vector<Index>{0, 1, 1, 0}, 1) - 2.0 / 3) < kWalkSolved);
  // A star has its hub on side 0 and another as the hub of side 1.
  const society::Graph star{4, {{0, 1}, {0, 2}, {0, 3}}, {}};
  CHECK(std::isnan(measures::random_walk_controversy(star, std::vector<Index>{0, 0, 0, 0}, 1)));
}

TEST_CASE("a weighted walk agrees with the dense linear system", "[graph][controversy][twin]") {
  society::Graph graph{80, society::erdos_renyi(80, 7, Random(41)), {}};
  graph.edges.insert(graph.edges.end(), {{0, 79}, {0, 78}, {0, 77}, {0, 76}});
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  REQUIRE(society::connected_parts(graph) == std::vector<Index>(80, 0));
  std::vector<Index> side(80);
  for (std::size_t i = 0; i < 80; ++i) side[i] = static_cast<Index>(i % 3);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) graph.weights.push_back(0.1 + static_cast<double>(e % 5));
  const std::vector<Index> degree = society::degrees(graph);
  std::vector<Index> hubs;
  for (const Index wanted : {0, 1}) {
    std::vector<Index> members;
    for (Index i = 0; i < 80; ++i)
      if (side[i] == wanted) members.push_back(i);
    std::stable_sort(members.begin(), members.end(), [&](Index a, Index b) { return degree[a] > degree[b]; });
    hubs.insert(hubs.end(), members.begin(), members.begin() + 4);
  }
  CHECK(std::abs(measures::random_walk_controversy(graph, side, 4) - plain_controversy(graph, side, hubs)) <
        kWalkSolved);
}

TEST_CASE("a walk over unknown ground is refused", "[graph][controversy][errors]") {
  const society::Graph pair{2, {{0, 1}}, {}};
  CHECK_THROWS_AS(measures::random_walk_controversy(pair, std::vector<Index>{0}, 1), ArgumentError);
  CHECK_THROWS_AS(measures::random_walk_controversy(pair, std::vector<Index>{0, 1}, 0), ArgumentError);
  CHECK(std::isnan(measures::random_walk_controversy({0, {}, {}}, std::vector<Index>{}, 1)));
}

TEST_CASE("the karate club's split has the modularity, E-I index and controversy that are known",
          "[graph][controversy]") {
  const datasets::network::Network club = datasets::network::karate_club();
  const society::Graph graph = graph_of(club);
  const std::vector<Index> side = groups_of(club.labels.at("club"));
  constexpr double kSixDigits = 5e-7, kFourDigits = 5e-5;  // as published with the data
  CHECK(std::abs(society::modularity(graph, side) - 0.358235) < kSixDigits);
  CHECK(std::abs(society::assortativity(graph, side) - 0.717531) < kSixDigits);
  CHECK(society::ei_index(graph, side) == (11.0 - 67.0) / 78.0);
  CHECK(std::abs(measures::random_walk_controversy(graph, side, 1) - 0.6357) < kFourDigits);
  CHECK(std::abs(measures::random_walk_controversy(graph, side, 2) - 0.7366) < kFourDigits);
  CHECK(std::abs(measures::random_walk_controversy(graph, side, 3) - 0.8284) < kFourDigits);
}

TEST_CASE("the number at both ends of an edge is correlated as worked out by hand", "[graph]") {
  // A path 0 - 1 - 2 with values 0, 1, 2: ends 0 1 1 2, mean 1; products 2 (-1 0 + 0 1) = 0.
  const society::Graph path{3, {{0, 1}, {1, 2}}, {}};
  CHECK(society::value_assortativity(path, std::vector<double>{0, 1, 2}) == 0);
  CHECK(society::value_assortativity(path, std::vector<double>{1, -1, 1}) == -1);
  const society::Graph two_pairs{4, {{0, 1}, {2, 3}}, {2, 2}};
  CHECK(society::value_assortativity(two_pairs, std::vector<double>{1, 1, 5, 5}) == 1);
  CHECK(std::isnan(society::value_assortativity(two_pairs, std::vector<double>{3, 3, 3, 3})));
  CHECK(std::isnan(society::ei_index({2, {}, {}}, std::vector<Index>{0, 1})));
}

TEST_CASE("every network of the shared data has its known numbers", "[graph][controversy][golden]") {
  const auto folder = support::shared_data("opinion");
  if (!folder) return;
  std::ifstream file(*folder / "facts.json");
  const nlohmann::json facts = nlohmann::json::parse(file);
  constexpr double kSixDigits = 6e-7, kFourDigits = 6e-5;
  std::size_t walks = 0;
  for (const auto& [name, fact] : facts.items()) {
    if (!fact.contains("modularity_of_labels")) continue;
    INFO(name);
    datasets::network::NetworkFileOptions options;
    options.weighted = false;
    options.node_file = (*folder / (name + ".nodes.csv.gz")).string();
    const datasets::network::Network network =
        datasets::network::read_network((*folder / (name + ".edges.csv.gz")).string(), options);
    const society::Graph graph = graph_of(network);
    const std::vector<Index> side = groups_of(network.labels.begin()->second);
    CHECK(network.nodes == fact.at("nodes").get<std::size_t>());
    CHECK(network.edges.size() == fact.at("edges_simple_undirected").get<std::size_t>());
    CHECK(std::abs(society::modularity(graph, side) - fact.at("modularity_of_labels").get<double>()) < kSixDigits);
    CHECK(std::abs(society::assortativity(graph, side) - fact.at("assortativity_of_labels").get<double>()) <
          kSixDigits);
    CHECK(std::abs(society::ei_index(graph, side) - fact.at("EI_index").get<double>()) < kSixDigits);
    for (const auto& [hubs, value] : fact.at("rwc_absorbing_unweighted").items()) {
      INFO(hubs);
      const Index count = std::stoi(hubs.substr(hubs.rfind('_') + 1));
      CHECK(std::abs(measures::random_walk_controversy(graph, side, count) - value.get<double>()) < kFourDigits);
      ++walks;
    }
  }
  CHECK(walks >= 30);
}
