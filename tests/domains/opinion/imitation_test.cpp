#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

Matrix<double> column(std::initializer_list<double> values) {
  Matrix<double> x(static_cast<Index>(values.size()), 1);
  Index i = 0;
  for (const double value : values) x(i++, 0) = value;
  return x;
}

Matrix<double> two_opinions(Index agents, Index positive) {
  Matrix<double> x = Matrix<double>::Constant(agents, 1, -1);
  x.topRows(positive).setOnes();
  return x;
}

/// A crowd after `steps` steps.
Matrix<double> after(const dynamics::ModelSettings& settings, dynamics::Agents agents, int steps,
                     const society::Graph* graph = nullptr, std::uint64_t seed = 5) {
  Matrix<double> x = agents.start;
  const auto crowd = dynamics::make_dynamics(settings, std::move(agents), graph, Random(seed));
  for (int step = 0; step < steps; ++step) crowd->step(x, step);
  return x;
}

dynamics::ModelSettings model(const char* name) {
  dynamics::ModelSettings settings;
  settings.model = name;
  return settings;
}

dynamics::Agents starting(Matrix<double> start) {
  dynamics::Agents agents;
  agents.start = std::move(start);
  return agents;
}

society::Graph line(Index agents, bool directed = false) {
  society::Graph graph;
  graph.nodes = agents;
  graph.directed = directed;
  for (Index i = 0; i + 1 < agents; ++i) graph.edges.push_back({i, i + 1});
  return graph;
}

std::string refusal(const dynamics::ModelSettings& settings, dynamics::Agents agents,
                    const society::Graph* graph = nullptr) {
  return support::refusal_of<ArgumentError>(
      [&] { dynamics::make_dynamics(settings, std::move(agents), graph, Random(1)); });
}

}  // namespace

TEST_CASE("models that imitate: opinions stay among those of the start, whatever the model and network",
          "[opinion][models][property]") {
  const society::Graph graph = line(60);
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!entry.rule.update.imitates) continue;
    for (const society::Graph* network : {static_cast<const society::Graph*>(nullptr), &graph}) {
      INFO(entry.name);
      constexpr double kPattern[] = {-1.5, -1.5, -0.5, -1.5, 0.5, 1.5};  // pairs that agree, and some in the minority
      Matrix<double> start(60, 1);
      for (Index i = 0; i < 60; ++i) start(i, 0) = kPattern[i % 6];
      dynamics::ModelSettings settings = model(std::string(entry.name).c_str());
      settings.independence = 0.1;
      const Matrix<double> end = after(settings, starting(start), 20, network);
      CHECK(end != start);
      const std::set<double> known{-1.5, -0.5, 0.5, 1.5}, found(end.data(), end.data() + end.size());
      for (const double opinion : found) CHECK(known.contains(opinion));
    }
  }
}

TEST_CASE("voters on a directed line take over what is upstream, and the first one never changes",
          "[opinion][models]") {
  const society::Graph graph = line(6, true);  // agent i + 1 hears agent i
  const Matrix<double> end = after(model("voter"), starting(column({1, -1, -1, -1, -1, -1})), 200, &graph);
  CHECK((end.array() == 1).all());
}

TEST_CASE("voters ask their neighbours by the weight of the edge", "[opinion][models]") {
  society::Graph star;
  star.nodes = 3;
  star.edges = {{0, 1}, {0, 2}};
  star.weights = {3, 1};
  dynamics::Agents agents = starting(column({0, 1, -1}));
  agents.stubbornness = {0, 1, 1};
  const auto crowd = dynamics::make_dynamics(model("voter"), agents, &star, Random(8));
  Matrix<double> x = agents.start;
  double positive = 0, asked = 0;
  for (int step = 0; step < 6000; ++step) {
    x(0, 0) = 0;
    crowd->step(x, step);
    if (x(0, 0) != 0) ++asked;
    if (x(0, 0) > 0) ++positive;
  }
  CHECK(asked == Approx(6000 * (1 - 8.0 / 27)).margin(4 * std::sqrt(6000 * 0.21)));  // in three draws at least once
  CHECK(positive / asked == Approx(0.75).margin(4 * std::sqrt(0.1875 / asked)));
}

TEST_CASE("a stubborn voter changes with probability 1 - s", "[opinion][models]") {
  constexpr Index kMany = 20000;
  dynamics::Agents agents = starting(two_opinions(kMany, 1));
  agents.stubbornness.assign(kMany, 0.75);
  agents.stubbornness[0] = 1;
  agents.start.bottomRows(kMany - 1).setConstant(-1);
  society::Graph star;
  star.nodes = kMany;
  for (Index i = 1; i < kMany; ++i) star.edges.push_back({0, i});
  star.directed = true;  // all hear the first
  const Matrix<double> end = after(model("voter"), agents, 1, &star);
  const double changed = 0.5 * (end.mean() + 1);
  // An agent is drawn Poisson(1) times and changes in each with 1/4: 1 - exp(-1/4).
  CHECK(changed == Approx(1 - std::exp(-0.25)).margin(4 * std::sqrt(0.2 / kMany)));
}

TEST_CASE("independent voters of three opinions hold each alike", "[opinion][models]") {
  dynamics::ModelSettings settings = model("voter");
  settings.independence = 1;
  Matrix<double> start = Matrix<double>::Constant(30000, 1, 0.5);
  start(0, 0) = -2;
  start(1, 0) = 7;
  const Matrix<double> end = after(settings, starting(start), 12);  // all but exp(-12) were drawn
  for (const double opinion : {-2.0, 0.5, 7.0})
    CHECK((end.array() == opinion).cast<double>().mean() == Approx(1.0 / 3).margin(4 * std::sqrt(2.0 / 9 / 30000)));
}

TEST_CASE("a q-voter does not move unless all it asks agree", "[opinion][models]") {
  society::Graph star;
  star.nodes = 3;
  star.edges = {{0, 1}, {0, 2}};
  dynamics::Agents agents = starting(column({0, 1, -1}));
  agents.stubbornness = {0, 1, 1};
  dynamics::ModelSettings settings = model("q_voter");
  settings.panel = 4;
  const auto crowd = dynamics::make_dynamics(settings, agents, &star, Random(8));
  Matrix<double> x = agents.start;
  double moved = 0, drawn = 0;
  for (int step = 0; step < 8000; ++step) {
    x(0, 0) = 0;
    crowd->step(x, step);
    if (x(0, 0) != 0) ++moved;
    drawn += 1;  // on average once a step
  }
  const double p =
      1 - std::pow(1 - 0.125 / 3, 3);  // four neighbours alike: 2 / 2^4, agent 0 drawn with 1/3, three times
  CHECK(moved / drawn == Approx(p).margin(4 * std::sqrt(p / drawn)));
}

TEST_CASE("the majority of a group wins, a tie changes nothing", "[opinion][models]") {
  dynamics::ModelSettings settings = model("majority");
  settings.panel = 3;
  CHECK((after(settings, starting(column({1, 1, -1})), 1).array() == 1).all());
  CHECK(after(settings, starting(column({1, 2, 3})), 5) == column({1, 2, 3}));
  const society::Graph pair = line(2);
  CHECK(after(settings, starting(column({1, -1})), 5, &pair) == column({1, -1}));
  settings.panel = 4;
  CHECK(refusal(settings, starting(two_opinions(9, 4))).find("must be odd") != std::string::npos);
}

TEST_CASE("two that agree win over their neighbours, two that differ over nobody", "[opinion][models]") {
  const society::Graph graph = line(4);
  CHECK(after(model("sznajd"), starting(column({1, -1, 1, -1})), 9, &graph) == column({1, -1, 1, -1}));
  const Matrix<double> end = after(model("sznajd"), starting(column({-1, 1, 1, -1})), 9, &graph);
  CHECK((end.array() == 1).all());
}

TEST_CASE("assimilation and repulsion as the equation stands", "[opinion][models][twin]") {
  dynamics::ModelSettings settings = model("jager_amblard");
  settings.confidence = 0.5;
  settings.rejection = 1.2;
  settings.convergence = 0.25;
  const society::Graph pair = line(2);
  const auto met = [&](double a, double b) { return after(settings, starting(column({a, b})), 1, &pair); };
  // two meetings a step
  CHECK((met(0, 0.4) - column({0.15, 0.25})).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(met(0, 0.8) == column({0, 0.8}));
  CHECK(met(-0.7, 0.7) == column({-1, 1}));
  CHECK((met(-0.5, 2) - column({-1.90625, 2})).cwiseAbs().maxCoeff() < 1e-15);  // within the largest start
  settings.rejection = 0.4;
  CHECK(refusal(settings, starting(two_opinions(4, 2))).find("rejection") != std::string::npos);
}

TEST_CASE("models of meetings are refused where they have no meaning", "[opinion][models]") {
  const society::Graph directed = line(4, true);
  for (const char* name : {"majority", "sznajd", "jager_amblard", "deffuant"}) {
    INFO(name);
    CHECK(refusal(model(name), starting(two_opinions(4, 2)), &directed).find("must not be directed") !=
          std::string::npos);
  }
  for (const char* name : {"voter", "q_voter", "majority", "sznajd", "jager_amblard"}) {
    INFO(name);
    CHECK(refusal(model(name), starting(Matrix<double>::Zero(4, 2))).find("components") != std::string::npos);
    CHECK(!refusal(model(name), starting(two_opinions(1, 1))).empty());
  }
}
