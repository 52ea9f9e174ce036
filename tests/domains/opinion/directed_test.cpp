#include <Eigen/Dense>
#include <sstream>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

Results run_of(const std::string& toml) { return support::run_of("opinion.simulate", toml); }

/// Edges and starting opinions in files, DeGroot on them.
class Directed {
 public:
  Directed(const std::string& edge_rows, const std::string& agent_rows) {
    std::ofstream(folder_.file("edges.csv")) << edge_rows;
    std::ofstream(folder_.file("agents.csv")) << agent_rows;
  }
  std::string toml(const std::string& more) const {
    return concat("network.kind = \"edges\"\nnetwork.use_weights = true\nnetwork.edges = \"", folder_.file("edges.csv"),
                  "\"\nstart.kind = \"file\"\nstart.file = \"", folder_.file("agents.csv"),
                  "\"\nmodel.name = \"degroot\"\nrest.tolerance = 0.0\n", more);
  }

 private:
  const support::TemporaryFolder folder_;
};

std::vector<double> end_of(const Results& results) { return results.data.at("final_opinion").reals(); }

std::vector<std::string> texts_of(const Results& results, const char* name) {
  return std::get<std::vector<std::string>>(results.data.at(name).values);
}

}  // namespace

TEST_CASE("DeGroot on a directed weighted network of 300 ends at the left eigenvector", "[opinion][directed]") {
  constexpr Index kAgents = 300, kHeard = 8;
  constexpr double kRounding = 1e-12;  // a step rounds to some 1e-16, and contracts what was rounded before
  const Random random(20);
  std::string edges = "source,target,weight\n", agents = "node,opinion\n";
  Eigen::MatrixXd weights = Eigen::MatrixXd::Identity(kAgents, kAgents);
  Eigen::VectorXd start(kAgents);
  const Random draw = random.stream("edges");
  for (Index i = 0; i < kAgents; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    start(i) = draw.normal(row, 1000);
    agents += concat("a", i, ",", start(i), "\n");
    for (Index k = 0; k < kHeard; ++k) {
      // one from the agent before, so that everybody hears everybody in the end
      const auto number = static_cast<std::uint64_t>(k);
      const Index j = k == 0 ? (i + 1) % kAgents : static_cast<Index>(draw.below(kAgents, row, number));
      if (j == i) continue;
      const double weight = 0.1 + draw.uniform(row, number + 100);
      edges += concat("a", j, ",a", i, ",", weight, "\n");
    }
  }
  // What the files say, digits and parallel edges included.
  {
    std::istringstream lines(edges);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t one = line.find(','), two = line.find(',', one + 1);
      const Index j = std::stol(line.substr(1, one - 1)), i = std::stol(line.substr(one + 2, two - one - 2));
      weights(i, j) += std::stod(line.substr(two + 1));
    }
    std::istringstream rows(agents);
    std::getline(rows, line);
    for (Index i = 0; std::getline(rows, line); ++i) start(i) = std::stod(line.substr(line.find(',') + 1));
  }
  for (Index i = 0; i < kAgents; ++i) weights.row(i) /= weights.row(i).sum();
  // pi' (W - 1) = 0 with one equation replaced by sum pi = 1
  Eigen::MatrixXd system = weights.transpose() - Eigen::MatrixXd::Identity(kAgents, kAgents);
  system.row(0).setOnes();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(kAgents);
  right(0) = 1;
  const Eigen::VectorXd pi = system.fullPivLu().solve(right);
  const Results results = run_of(Directed(edges, agents).toml("network.directed = true\nrun.steps = 600\n"));
  const double limit = pi.dot(start);
  for (const double opinion : end_of(results)) CHECK(std::abs(opinion - limit) < kRounding);
  REQUIRE(results.checks().size() == 2);  // that no opinion left the range of the start, and the limit
  for (const Check& check : results.checks()) CHECK(check.holds());
  CHECK(std::abs(results.checks()[1].predicted - limit) < kRounding);
  CHECK(texts_of(results, "agent").front() == "a1");  // in the order of the edge list
}

TEST_CASE("elimination keeps shares of any size, and agrees with a chain that is known", "[opinion][directed]") {
  // A chain of steps up with weight 1 and down with 1000: shares fall by 1000 from one to the next.
  society::Graph graph;
  graph.nodes = 6;
  graph.directed = true;
  for (Index i = 0; i + 1 < graph.nodes; ++i) {
    graph.edges.push_back({i, i + 1});
    graph.weights.push_back(1000);
    graph.edges.push_back({i + 1, i});
    graph.weights.push_back(1);
  }
  const std::vector<society::ClosedClass> classes = society::closed_classes(graph, 0);
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].period == 2);
  CHECK(society::closed_classes(graph, 1)[0].period == 1);
  const std::vector<double> shares = society::left_eigenvector(graph, classes[0].members, 0);
  // detailed balance: pi_i W_ij = pi_j W_ji
  CHECK(std::abs(shares[1] / shares[0] * (1000.0 / 1001.0) - 1) < 1e-14);
  for (std::size_t i = 1; i + 2 < 6; ++i) CHECK(std::abs(shares[i + 1] / shares[i] * 1000 - 1) < 1e-13);
}

TEST_CASE("both weights of a pair are kept, and who is heard by nobody follows", "[opinion][directed]") {
  const Directed files("source,target,weight\nann,bob,1\nbob,ann,3\nbob,cid,1\n",
                       "node,opinion\nann,0\nbob,1\ncid,5\neve,9\n");
  const Results results = run_of(files.toml("network.directed = true\nrun.steps = 200\n"));
  // ann: (x + 3 y) / 4, bob: (y + x) / 2: shares 2 and 3 of 5
  const std::vector<double> end = end_of(results);
  CHECK(std::abs(end[0] - 0.6) < 1e-12);
  CHECK(std::abs(end[1] - 0.6) < 1e-12);
  CHECK(std::abs(end[2] - 0.6) < 1e-12);
  CHECK(end[3] == 9);  // without an edge
  CHECK(texts_of(results, "agent") == std::vector<std::string>{"ann", "bob", "cid", "eve"});
  CHECK(support::has_note(results, "Closed classes, whose members hear nobody outside: 2, with 3 agents in all"));
  CHECK(support::has_note(results, "1 agent of start.file has no edge: it hears nobody but itself."));
  CHECK(support::has_note(results, " In the limit the other 1 agent follows them."));
  const Results fed = run_of(files.toml("network.directed = true\nrun.steps = 2\nfeed.size = 1\n"));
  CHECK_FALSE(support::has_note(fed, "Closed classes"));  // with a feed everybody may be heard
  // the same list without directions: said, and the weights added
  const Results both = run_of(files.toml("run.steps = 1\n"));
  CHECK(std::abs(end_of(both)[0] - 0.8) < 1e-15);  // (0 + 4 * 1) / 5
  CHECK(support::has_note(both, "both ends of an edge hear each other"));
  CHECK(
      support::has_note(both, "1 edge was given before, in the same or the other direction: the weights were added."));
}

TEST_CASE("names lose the blanks around them, and parts of an undirected network are told", "[opinion][directed]") {
  const Directed files("source,target,weight\nann,bob,1\ncid,dan,1\n",
                       "node,opinion\n ann ,0\nbob,1\n\tcid,5\ndan ,9\n");
  const Results results = run_of(files.toml("run.steps = 1\n"));
  CHECK(end_of(results) == std::vector<double>{0.5, 0.5, 7, 7});
  CHECK(support::has_note(results, "It has 2 parts without an edge between them."));
}

TEST_CASE("self-loops are one's own weight, and a cycle without any has a period", "[opinion][directed]") {
  const std::string agents = "node,opinion\na,0\nb,1\nc,2\n", ring = "source,target,weight\na,b,1\nb,c,1\nc,a,1\n";
  const Results round =
      run_of(Directed(ring, agents).toml("network.directed = true\nnetwork.self_weight = 0\nrun.steps = 4\n"));
  CHECK(end_of(round) == std::vector<double>{2, 0, 1});
  CHECK(support::has_note(round, "has period 3"));
  const Results held = run_of(
      Directed(ring + "a,a,3\n", agents).toml("network.directed = true\nnetwork.self_weight = 0\nrun.steps = 1\n"));
  CHECK(end_of(held) == std::vector<double>{0.5, 0, 1});  // (3 * 0 + 2) / 4
  CHECK(support::has_note(held, "1 leads from a node to itself"));
}

TEST_CASE("parallel edges add up or are refused, and the other keys are named", "[opinion][directed][errors]") {
  const Directed twice("source,target,weight\na,b,1\na,b,2\nb,a,1\n", "node,opinion\na,0\nb,1\n");
  const Results sum = run_of(twice.toml("network.directed = true\nrun.steps = 1\n"));
  CHECK(end_of(sum) == std::vector<double>{0.5, 0.25});
  CHECK(support::has_note(sum, "1 was given before in the same direction"));
  const auto refusal = [&](const std::string& more) {
    return support::refusal_of<std::exception>([&] { run_of(twice.toml(more)); });
  };
  CHECK(
      refusal("network.directed = true\nnetwork.parallel = \"refuse\"\n").find("the edge a -> b is given more than") !=
      std::string::npos);
  CHECK(refusal("network.self_weight = 0\n").find("0 needs network.directed = true") != std::string::npos);
  const std::string said =
      support::complaints_of("opinion.simulate", "network.directed = true\nmodel.name = \"deffuant\"\n");
  REQUIRE(std::count(said.begin(), said.end(), '\n') == 2);
  CHECK(said.find("network.kind = \"none\" has no directions") < said.find('\n'));
  CHECK(said.find("agents that meet move one another") > said.find('\n'));
  CHECK(said.find("agents that meet move one another") != std::string::npos);
}

TEST_CASE("negative weights repel: two hostile camps end at opposite opinions", "[opinion][directed]") {
  // Structurally balanced (Altafini 2013): friends within {a, b} and {c, d}, foes across; then |x| agrees.
  const std::string foes = "source,target,weight\na,b,1\nb,a,1\nc,d,1\nd,c,1\na,c,-1\nc,a,-1\nb,d,-1\nd,b,-1\n";
  const std::string agents = "node,opinion\na,0.7\nb,0.1\nc,0.2\nd,-0.4\n";
  const Results results = run_of(Directed(foes, agents).toml("network.directed = true\nrun.steps = 300\n"));
  const double camp = (0.7 + 0.1 - 0.2 + 0.4) / 4;  // doubly stochastic in size: the mean of s_i x_i
  const std::vector<double> end = end_of(results), expected{camp, camp, -camp, -camp};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(end[i] - expected[i]) < 1e-12);
  CHECK(support::has_note(results, "Negative weights repel"));
  const Directed files(foes, agents);
  const std::string other = files.toml("network.directed = true\n");
  CHECK_THROWS_AS(run_of(std::string(other).replace(other.find("degroot"), 7, "attention")), ConfigError);
  CHECK_THROWS_WITH(run_of(other + "rewiring.probability = 0.5\nrewiring.tolerance = 0.1\n"),
                    Catch::Contains("would be repelled by those whom they choose"));
}

TEST_CASE("on a directed network the engine and plain sums hear the same", "[opinion][directed][twin]") {
  society::Graph graph;
  graph.nodes = 5;
  graph.directed = true;
  graph.edges = {{0, 1}, {0, 3}, {1, 0}, {2, 4}, {3, 2}, {4, 0}};
  graph.weights = {1, 2, 0.5, 3, 1, 0.25};
  graph.own = {1, 0.5, 2, 1, 1};
  dynamics::Agents agents;
  agents.start.resize(5, 1);
  agents.start << 0.1, 0.7, -0.3, 0.4, 1.2;
  for (const char* model : {"attention", "degroot", "saturation", "transformer_circle"}) {
    dynamics::ModelSettings settings;
    settings.model = model;
    settings.temperature = 0.5;
    Matrix<double> fast = agents.start, slow = agents.start;
    dynamics::make_dynamics(settings, agents, &graph, Random(1))->step(fast, 0);
    settings.fast = false;
    dynamics::make_dynamics(settings, agents, &graph, Random(1))->step(slow, 0);
    CHECK((fast - slow).cwiseAbs().maxCoeff() < 1e-14);
  }
}

}  // namespace fovea::opinion
