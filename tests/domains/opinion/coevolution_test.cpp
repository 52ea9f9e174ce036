/// Rewiring and feeds: their laws, what they keep, and that a run is the same for any number of threads and resumes.

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/feed.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"
#include "fovea/tests/support/chi_square.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kChance = 4;  // standard errors: once in 16,000 true laws

society::Graph random_graph(Index nodes, double degree, std::uint64_t seed, bool directed = false) {
  society::Graph graph;
  graph.nodes = nodes;
  graph.directed = directed;
  graph.edges = society::erdos_renyi(nodes, degree, Random(seed));
  return graph;
}

/// `kinds` opinions evenly spaced over [-1, 1], drawn; kinds = 0: uniform.
dynamics::Agents drawn_agents(Index count, Index kinds, std::uint64_t seed) {
  dynamics::Agents agents;
  agents.start.resize(count, 1);
  const Random random(seed);
  for (Index i = 0; i < count; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    agents.start(i, 0) =
        kinds == 0 ? 2 * u - 1 : 2 * std::floor(u * static_cast<double>(kinds)) / static_cast<double>(kinds - 1) - 1;
  }
  return agents;
}

dynamics::ModelSettings rewiring_model(const std::string& name, double probability) {
  dynamics::ModelSettings settings;
  settings.model = name;
  settings.confidence = 0.3;
  settings.coupling = 0.2;  // with 1 the unnormalised transformer blows up among those who are alike
  settings.rewiring.probability = probability;
  settings.rewiring.tolerance = dynamics::find_model(name).rule.update.imitates ? 0 : 0.3;
  settings.rewiring.to = "random";
  return settings;
}

struct Ended {
  Matrix<double> opinions;
  std::vector<society::Edge> edges;  ///< in the order that they have
  std::int64_t moved = 0;
};

/// From the step `resumed` on by another object, from a saved network.
Ended run(const dynamics::ModelSettings& settings, const dynamics::Agents& agents, const society::Graph& graph,
          int steps, int resumed = 1000000) {
  auto crowd = dynamics::make_dynamics(settings, agents, &graph, Random(3));
  Matrix<double> x = crowd->agents().start;
  for (int step = 0; step < steps; ++step) {
    if (step == resumed) {
      const Dataset saved = saved_state(*crowd->change_network());
      crowd = dynamics::make_dynamics(settings, agents, &graph, Random(3));
      restore_state(saved, *crowd->change_network());
    }
    crowd->step(x, step);
  }
  Ended end{x, {}, 0};
  if (const society::ChangingNetwork* network = crowd->changed_network()) {
    end.edges.assign(network->edges().begin(), network->edges().end());
    end.moved = network->moved();
  }
  return end;
}

std::set<std::pair<Index, Index>> pairs_of(const std::vector<society::Edge>& edges) {
  std::set<std::pair<Index, Index>> pairs;
  for (const society::Edge& edge : edges) pairs.emplace(edge[0], edge[1]);
  return pairs;
}

}  // namespace

TEST_CASE("every model that knows rewiring keeps the number of edges, and goes on as it would have after a resume",
          "[opinion][coevolution][models][property]") {
  const society::Graph graph = random_graph(80, 5, 1);
  int models = 0;
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!dynamics::knows_rewiring(entry.rule)) continue;
    ++models;
    for (const char* to : {"alike", "random", "friends_of_friends", "recommended"}) {
      dynamics::ModelSettings settings = rewiring_model(std::string(entry.name), 0.4);
      settings.rewiring.to = to;
      if (settings.rewiring.to == "recommended" && !dynamics::knows_feed(entry.rule)) continue;
      INFO(entry.name << ", " << to);
      const dynamics::Agents agents = drawn_agents(80, entry.rule.update.imitates ? 8 : 0, 2);
      const Ended end = run(settings, agents, graph, 12), resumed = run(settings, agents, graph, 12, 5);
      CHECK(end.moved > 10);
      CHECK(end.edges.size() == graph.edges.size());
      CHECK(pairs_of(end.edges).size() == graph.edges.size());
      for (const society::Edge& edge : end.edges) CHECK(edge[0] < edge[1]);
      CHECK(end.opinions == resumed.opinions);
      CHECK(end.edges == resumed.edges);
    }
  }
  CHECK(models >= 10);
}

TEST_CASE("a model written as formulas moves its edges as the one built in", "[opinion][coevolution][formula][twin]") {
  for (const bool directed : {false, true})
    for (const char* to : {"alike", "random", "friends_of_friends"}) {
      INFO(to);
      const society::Graph graph = random_graph(80, 5, 1, directed);
      const dynamics::Agents agents = drawn_agents(80, 0, 2);
      dynamics::ModelSettings settings = rewiring_model("hegselmann_krause", 0.4);
      settings.rewiring.to = to;
      const Ended built_in = run(settings, agents, graph, 12);
      settings.model = "formula";
      settings.formula.influence = "d <= eps";
      const Ended written = run(settings, agents, graph, 12);
      CHECK((written.opinions - built_in.opinions).cwiseAbs().maxCoeff() < 1e-12);  // sums in another order
      CHECK(written.edges == built_in.edges);
      CHECK(written.moved > 10);
    }
}

TEST_CASE("models with rewiring and a feed have the same bits from 1, 2, 3 and 5 threads",
          "[opinion][coevolution][threads]") {
  const int before = omp_get_max_threads();
  const society::Graph graph = random_graph(600, 6, 1);
  for (const char* name : {"degroot", "hegselmann_krause", "attention", "voter", "deffuant"}) {
    dynamics::ModelSettings settings = rewiring_model(name, 0.3);
    settings.rewiring.to = "alike";
    if (dynamics::knows_feed(dynamics::find_model(name).rule)) settings.feed.size = 4;
    const dynamics::Agents agents = drawn_agents(600, name == std::string("voter") ? 20 : 0, 2);
    omp_set_num_threads(1);
    const Ended first = run(settings, agents, graph, 6);
    for (const int threads : {2, 3, 5}) {
      INFO(name << ", " << threads);
      omp_set_num_threads(threads);
      const Ended other = run(settings, agents, graph, 6);
      CHECK(first.opinions == other.opinions);
      CHECK(first.edges == other.edges);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("voters of Holme and Newman come to rest without an edge between two opinions",
          "[opinion][coevolution][limit]") {
  const society::Graph graph = random_graph(200, 4, 4);
  for (const double probability : {0.3, 1.0}) {
    INFO(probability);
    dynamics::ModelSettings settings = rewiring_model("voter", probability);
    settings.rewiring.to = "alike";
    settings.rewiring.any = true;
    const dynamics::Agents agents = drawn_agents(200, 10, 5);
    const auto crowd = dynamics::make_dynamics(settings, agents, &graph, Random(6));
    Matrix<double> x = agents.start;
    int step = 0;
    while (step < 20000 && !crowd->settled(x)) crowd->step(x, step++);
    REQUIRE(crowd->settled(x));
    for (const society::Edge& edge : crowd->changed_network()->edges()) CHECK(x(edge[0], 0) == x(edge[1], 0));
    CHECK((x == agents.start) == (probability == 1));
    const Matrix<double> rest = x;
    for (int more = 0; more < 20; ++more) crowd->step(x, step++);
    CHECK(x == rest);
  }
}

TEST_CASE("edges are cut only where the rule says, and go to whom it says", "[opinion][coevolution]") {
  const dynamics::Agents agents = drawn_agents(100, 0, 7);
  const auto distance = [&](Index i, Index j) { return std::abs(agents.start(i, 0) - agents.start(j, 0)); };
  for (const bool directed : {false, true}) {
    const society::Graph graph = random_graph(100, 6, 8, directed);
    for (const std::string to : {"alike", "friends_of_friends", "random"}) {
      INFO(to << ", directed " << directed);
      society::ChangingNetwork network(graph);
      dynamics::Rewiring rule;
      rule.probability = 0.5;
      rule.to = to;
      dynamics::Unfollowing unfollowing(rule, {}, Random(9));
      std::vector<std::uint8_t> may(100, 1);
      for (std::size_t i = 0; i < 100; i += 4) may[i] = 0;
      // One step, edge by edge: an edge is where it was, or was too long and is at its listener still.
      const std::vector<society::Edge> before(network.edges().begin(), network.edges().end());
      unfollowing.step(agents.start, 0.3, may, network, 0);
      Index moved = 0;
      for (std::size_t e = 0; e < before.size(); ++e) {
        const society::Edge now = network.edge(static_cast<Index>(e));
        if (now == before[e]) continue;
        ++moved;
        if (!directed) continue;  // an edge may have moved twice
        CHECK(now[1] == before[e][1]);
        CHECK(may[now[1]] == 1);
        CHECK(distance(before[e][0], before[e][1]) > 0.3);
        if (to == "alike") CHECK(distance(now[0], now[1]) <= 0.3);
      }
      CHECK(moved > 5);
    }
  }
}

TEST_CASE("bots and media move none of their edges", "[opinion][coevolution]") {
  const society::Graph graph = random_graph(40, 6, 8, true);
  dynamics::Agents agents = drawn_agents(40, 0, 7);
  agents.counted.assign(40, 1);
  for (std::size_t i = 0; i < 20; ++i) agents.counted[i] = 0;
  const Ended end = run(rewiring_model("degroot", 1), agents, graph, 3);
  const std::set<std::pair<Index, Index>> before = pairs_of(graph.edges);
  int kept = 0;
  for (const society::Edge& edge : end.edges) {
    if (edge[1] >= 20) continue;
    ++kept;
    CHECK(before.contains({edge[0], edge[1]}));
  }
  CHECK(kept > 20);
  CHECK(end.moved > 20);
}

TEST_CASE("new neighbours are drawn with the probabilities of the text, by proposals and by the list",
          "[opinion][coevolution][statistics]") {
  constexpr std::uint64_t kDraws = 20000;
  const Random random(12);
  // Of 400 agents 395 are neighbours of agent 0: proposals nearly always fail, and the list decides.
  for (const Index known : {Index{3}, Index{395}}) {
    society::Graph graph;
    graph.nodes = 400;
    for (Index j = 1; j <= known; ++j) graph.edges.push_back({0, j});
    for (Index j = 1; j <= 3; ++j) graph.edges.push_back({j, 396});
    graph.edges.push_back({1, 397});
    std::sort(graph.edges.begin(), graph.edges.end());
    const society::ChangingNetwork network(graph);
    std::vector<double> all(400, 0.0), path(400, 0.0), even(400, 0.0), two(400, 0.0);
    for (std::uint64_t k = 0; k < kDraws; ++k) {
      dynamics::Draws draws(random, static_cast<Index>(k), known);
      ++all[dynamics::end_of_all(network, 0, draws)];
      ++path[dynamics::end_of_path(network, 0, draws)];
    }
    double weights = 0;
    for (Index j = 1; j < 400; ++j) {
      if (network.joined(0, j)) continue;
      even[j] = 1 / static_cast<double>(399 - known);
      for (const std::uint32_t middle : network.neighbours(0))
        if (network.joined(middle, j)) two[j] += 1 / static_cast<double>(network.degree(middle));
      weights += two[j];
    }
    for (double& p : two) p /= weights;
    const support::ChiSquare flat = support::chi_square(all, even), walk = support::chi_square(path, two);
    INFO("neighbours " << known << ": " << flat.statistic << ", " << walk.statistic);
    CHECK(flat.statistic < flat.limit(kChance));
    CHECK(walk.statistic < walk.limit(kChance));
  }
}

TEST_CASE("a feed recommends with p ~ max(distance, floor)^-homophily, and is heard with its share",
          "[opinion][coevolution][statistics]") {
  constexpr Index kAgents = 60, kSize = 5, kSteps = 4000;
  const dynamics::Agents agents = drawn_agents(kAgents, 0, 14);
  const society::Graph graph = random_graph(kAgents, 4, 15);
  const Matrix<double>& x = agents.start;
  dynamics::Feed feed;
  feed.size = kSize;
  feed.share = 0.3;
  feed.homophily = 1.5;
  dynamics::FeedHearing hearing(feed, 1, &graph, kAgents, Random(16));
  dynamics::HearingRule rule;
  rule.score = dynamics::Score::alike;
  const Index who = 7;
  std::vector<double> counts(kAgents, 0.0), p(kAgents, 0.0);
  double total = 0, mean = 0, square = 0, sum = 0;
  const dynamics::Homophily homophily{feed.homophily, feed.distance_floor};
  for (Index j = 0; j < kAgents; ++j)
    if (j != who) total += p[j] = homophily.relative_weight(std::abs(x(j, 0) - x(who, 0)));
  for (Index j = 0; j < kAgents; ++j) {
    p[j] /= total;
    mean += p[j] * x(j, 0);
    square += p[j] * x(j, 0) * x(j, 0);
  }
  Matrix<double> heard;
  for (Index step = 0; step < kSteps; ++step) {
    hearing.hear(rule, x, x, heard, step);
    const dynamics::SpeakerRows& rows = hearing.rows();
    for (Index k = rows.offsets[who + 1] - kSize; k < rows.offsets[who + 1]; ++k) ++counts[rows.speakers[k]];
    sum += heard(who, 0);
  }
  const support::ChiSquare found = support::chi_square(counts, p);
  CHECK(found.statistic < found.limit(kChance));
  const society::ChangingNetwork network(graph);
  double known = x(who, 0);
  for (const std::uint32_t j : network.neighbours(who)) known += x(j, 0);
  known /= static_cast<double>(network.degree(who) + 1);
  const double predicted = (1 - feed.share) * known + feed.share * mean;
  const double error = feed.share * std::sqrt((square - mean * mean) / static_cast<double>(kSize * kSteps));
  CHECK(std::abs(sum / static_cast<double>(kSteps) - predicted) < kChance * error);
}

TEST_CASE("a feed of all, all alike, tends to the mean of everybody", "[opinion][coevolution][limit]") {
  constexpr Index kAgents = 50;
  dynamics::ModelSettings settings;
  settings.model = "degroot";
  settings.feed.homophily = 0;
  settings.feed.share = 1.0 - 1.0 / kAgents;
  double last = 4;
  for (const Index size : {Index{10}, Index{1000}, Index{100000}}) {
    settings.feed.size = size;
    dynamics::Agents agents = drawn_agents(kAgents, 0, 17);
    const double mean = agents.start.mean();
    Matrix<double> x = agents.start;
    dynamics::make_dynamics(settings, agents, nullptr, Random(18))->step(x, 0);
    const double off = (x.array() - mean).abs().maxCoeff();
    CHECK(off < 4 * 0.6 / std::sqrt(static_cast<double>(size)));
    CHECK(off < 0.3 * last);
    last = off;
  }
}

TEST_CASE("rewiring and feeds refuse models, networks and numbers that they cannot have",
          "[opinion][coevolution][messages]") {
  const society::Graph graph = random_graph(10, 3, 1);
  const auto refused = [&](const dynamics::ModelSettings& settings, const society::Graph* network, const char* text) {
    CHECK_THROWS_WITH(dynamics::make_dynamics(settings, drawn_agents(10, 2, 1), network, Random(1)), text);
  };
  refused(rewiring_model("majority", 0.1), &graph, "majority: agents of this model cannot move their edges.");
  refused(rewiring_model("voter", 0.1), nullptr, "voter: there is no network whose edges could be moved.");
  refused(rewiring_model("voter", 1.5), &graph, "make_dynamics: rewiring.probability = 1.5, but must be in [0, 1].");
  dynamics::ModelSettings settings = rewiring_model("degroot", 0.1);
  settings.rewiring.tolerance = 0;
  refused(settings, &graph,
          "degroot: rewiring.tolerance is 0, but this model has no confidence; say from which difference on edges are "
          "cut.");
  settings = rewiring_model("deffuant", 0.1);
  settings.rewiring.to = "recommended";
  refused(settings, &graph, "deffuant: rewiring.to is 'recommended', but must be alike, random or friends_of_friends.");
  settings = rewiring_model("deffuant", 0);
  settings.feed.size = 2;
  refused(settings, &graph, "deffuant: a feed needs agents that hear, with one component.");
}
