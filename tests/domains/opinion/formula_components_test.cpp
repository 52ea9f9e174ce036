/// Formulas whose components hear each other, and numbers that agents have of their own from columns of their file.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::formula_components {
namespace {

constexpr double kTwin = 1e-12;  // of opinions near 1: sums of some hundred terms, in another order

dynamics::ModelSettings written(const std::string& influence, const std::string& update) {
  dynamics::ModelSettings settings;
  settings.model = "formula";
  settings.formula.influence = influence;
  settings.formula.update = update;
  return settings;
}

Matrix<double> run(const dynamics::ModelSettings& settings, const dynamics::Agents& agents, const society::Graph* graph,
                   std::int64_t steps) {
  const auto dynamics = dynamics::make_dynamics(settings, agents, graph, Random(3));
  Matrix<double> opinions = agents.start;
  for (std::int64_t step = 0; step < steps; ++step) dynamics->step(opinions, step);
  return opinions;
}

double furthest_apart(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Four people of Friedkin and Johnsen (1999) with two issues, as in Parsegov, Proskurnikov, Tempo and Friedkin (2017).
struct FourPeople {
  dynamics::Agents agents;
  society::Graph graph{4, {{0, 1}, {0, 3}, {1, 0}, {1, 3}, {2, 0}, {2, 1}, {2, 3}, {3, 0}, {3, 1}}, {}};
  FourPeople() {
    graph.weights = {0.147, 0.09, 0.12, 0.178, 0.36, 0.344, 0.446, 0.3, 0.294};
    graph.directed = true;
    graph.own = {0.22, 0.215, 1, 0.286};
    agents.stubbornness = graph.own;
    agents.start = (Matrix<double>(4, 2) << 25, 25, 25, 15, 75, -50, 85, 5).finished();
  }
};

/// Own numbers and two components, drawn.
dynamics::Agents crowd(Index n) {
  dynamics::Agents agents;
  agents.start.resize(n, 2);
  for (Index k = 0; k < agents.start.size(); ++k)
    agents.start.data()[k] = 2 * Random(7).uniform(static_cast<std::uint64_t>(k)) - 1;
  agents.own.resize(2);
  for (Index i = 0; i < n; ++i) {
    agents.own[0].push_back(0.2 + Random(9).uniform(static_cast<std::uint64_t>(i), 0));
    agents.own[1].push_back(Random(9).uniform(static_cast<std::uint64_t>(i), 1) - 0.3);
  }
  return agents;
}

/// Agent 0 hears everybody: its row is longer than a block of pairs.
society::Graph network(Index n) {
  society::Graph graph{n, {}, {}};
  for (Index a = 0; a < n; ++a)
    for (Index b = a + 1; b < n; ++b)
      if (a == 0 || Random(5).uniform(static_cast<std::uint64_t>(a * n + b)) < 8.0 / static_cast<double>(n)) {
        graph.edges.push_back({a, b});
        graph.weights.push_back(0.5 + Random(5).uniform(static_cast<std::uint64_t>(a * n + b), 1));
      }
  return graph;
}

dynamics::ModelSettings coupled() {
  dynamics::ModelSettings settings =
      written("exp(-d / width)", "x + pull * (component == 1 ? h_1 - 0.3 * h_2 * x_2 : h_2 + 0.1 * h_1 - x0_1) / 2");
  settings.formula.parameters = {{"width", kNan}, {"half", 0.5}, {"pull", kNan}};
  settings.self_weight = 1.6;
  return settings;
}

/// One step of it, pair by pair.
Matrix<double> plain_step(const dynamics::Agents& agents, const Matrix<double>& x, const society::Graph* graph) {
  const Index n = agents.count();
  Matrix<double> weights = Matrix<double>::Constant(n, n, graph == nullptr ? 1 : 0), next = x;
  if (graph != nullptr) weights.diagonal().setConstant(1.6);
  for (std::size_t e = 0; graph != nullptr && e < graph->edges.size(); ++e)
    weights(graph->edges[e][0], graph->edges[e][1]) = weights(graph->edges[e][1], graph->edges[e][0]) =
        graph->weights[e];
  for (Index i = 0; i < n; ++i) {
    double total = 0, heard[2] = {0, 0};
    for (Index j = 0; j < n; ++j) {
      const double w = weights(i, j) * std::exp(-(x.row(i) - x.row(j)).norm() / agents.own[0][i]);
      total += w;
      for (Index c : {0, 1}) heard[c] += w * x(j, c);
    }
    const double one = heard[0] / total, two = heard[1] / total, pull = agents.own[1][i] / 2;
    next(i, 0) += pull * (one - 0.3 * two * x(i, 1));
    next(i, 1) += pull * (two + 0.1 * one - agents.start(i, 0));
  }
  return next;
}

}  // namespace

TEST_CASE("Friedkin-Johnsen with coupled issues ends where the equations of rest say", "[opinion][formula][twin]") {
  const FourPeople people;
  const auto ended = [&](const std::string& issues) {
    return run(written("1", "(1 - s) * (" + issues + ") + s * x0"), people.agents, &people.graph, 400);
  };
  // x = (I - (I - S) W (x) C)^-1 (S (x) I) u, solved by NumPy 2.3 in doubles.
  const Matrix<double> alike = (Matrix<double>(4, 2) << 39.160423080454, 12.001070666198, 38.948311232648,
                                10.070577233535, 75, -50, 55.977237240062, 5.313972060968)
                                   .finished();
  const Matrix<double> opposed = (Matrix<double>(4, 2) << 52.265152923197, -30.923111805994, 52.127617507849,
                                  -33.267427473514, 75, -50, 68.350957819331, -33.15235016343)
                                     .finished();
  constexpr double kPrinted = 1e-11;  // twelve places behind the point were printed
  CHECK(furthest_apart(ended("component == 1 ? 0.8 * h_1 + 0.2 * h_2 : 0.3 * h_1 + 0.7 * h_2"), alike) < kPrinted);
  CHECK(furthest_apart(ended("component == 1 ? 0.8 * h_1 - 0.2 * h_2 : 0.7 * h_2 - 0.3 * h_1"), opposed) < kPrinted);
  dynamics::ModelSettings built_in;
  built_in.model = "friedkin_johnsen";
  CHECK(furthest_apart(ended("component == 1 ? h_1 : h_2"), run(built_in, people.agents, &people.graph, 400)) < kTwin);
}

TEST_CASE("components that hear each other, and numbers of one's own, are those of the plain sums for any threads",
          "[opinion][formula][twin][threads]") {
  constexpr Index kMany = 700;
  const dynamics::Agents agents = crowd(kMany);
  const society::Graph graph = network(kMany);
  const int before = omp_get_max_threads();
  for (const society::Graph* who : {static_cast<const society::Graph*>(nullptr), &graph}) {
    INFO((who ? "network" : "everybody"));
    Matrix<double> plain = agents.start;
    for (int step = 0; step < 5; ++step) plain = plain_step(agents, plain, who);
    omp_set_num_threads(1);
    const Matrix<double> one = run(coupled(), agents, who, 5);
    CHECK(furthest_apart(one, plain) < kTwin);
    CHECK(furthest_apart(one, agents.start) > 0.1);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CHECK(run(coupled(), agents, who, 5) == one);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("who meets reads the number of its component and its own numbers", "[opinion][formula]") {
  dynamics::Agents agents = crowd(2);
  dynamics::ModelSettings settings = written("1", "x_i + pull + 10 * component");
  settings.formula.step = "pairs";
  settings.formula.parameters = {{"pull", kNan}, {"half", 0.5}};
  agents.own.erase(agents.own.begin());
  const Matrix<double> moved = run(settings, agents, nullptr, 1) - agents.start;  // two meetings of the two
  for (Index i : {0, 1})
    for (Index c : {0, 1})
      CHECK(std::abs(moved(i, c) - 2 * (agents.own[0][i] + 10 * static_cast<double>(c + 1))) < kTwin);
  agents.own.clear();
  CHECK_THROWS_WITH(run(settings, agents, nullptr, 1),
                    "formula: formula.parameters has 1 numbers of each agent's own, but agents have 0.");
}

TEST_CASE("agents that come and go keep the numbers of their own", "[opinion][formula][simulate]") {
  dynamics::Agents agents = crowd(4);
  agents.start = Matrix<double>::Ones(4, 1);
  agents.own.erase(agents.own.begin());
  dynamics::ModelSettings settings = written("1", "x + pull");
  settings.formula.parameters = {{"pull", kNan}};
  std::vector<simulate::Event> events{{0, simulate::EventKind::leave, 1, -1, 1, kNan}};
  simulate::Crowd crowd(settings, agents, nullptr, events, Random(1));
  crowd.take_events(0);
  crowd.dynamics().step(crowd.opinions(), 0);
  for (Index place = 0; place < 3; ++place)
    CHECK(crowd.opinions()(place, 0) == 1 + agents.own[0][crowd.number_of(place)]);
}

namespace {

/// A table of people and a model that reads the columns pull and "own width".
class People {
 public:
  std::string complaint(const std::string& table, const std::string& more = "") const {
    std::ofstream(path_) << table;
    const Experiment& experiment = support::experiment_of("opinion.simulate");
    const Changes text(
        concat("model.name = \"formula\"\nstart.kind = \"file\"\nstart.file = \"", path_,
               "\"\nformula.influence = \"d < width\"\nformula.update = \"x + pull * (h - x)\"\n"
               "formula.parameters = [{type = \"column\", name = \"pull\"}, {type = \"column\", name = \"width\", "
               "column = \"own width\"}]\n",
               more));
    try {
      results = support::run_of(experiment, text);
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      return what.starts_with(path_) ? what.substr(path_.size()) : what;
    }
    return "nothing";
  }
  mutable Results results;

 private:
  using Changes = support::Changes;
  const support::TemporaryFolder folder_;
  const std::string path_ = folder_.file("agents.csv");
};

}  // namespace

TEST_CASE("numbers of agents are read from columns, and a mistake ends in file, row and column",
          "[opinion][formula][errors]") {
  const People people;
  CHECK(people.complaint("node,opinion,own width,pull\na,0,1,1\nb,0.5,1,-0.5\nc,4,1,1\n",
                         "run.steps = 1\nrecord.resolution = 1e-6\n") == "nothing");
  const auto& opinions = std::get<std::vector<float>>(people.results.data.at("opinions").values);
  const std::vector<float> last(opinions.end() - 3, opinions.end());
  CHECK(last == std::vector<float>{0.25F, 0.625F, 4});
  const std::string head = "node,opinion,pull,own width\na,0,1,1\n";
  CHECK(people.complaint(head + "b,1,,1\n") ==
        ":row 3, column 'pull': the number of this agent is missing, which formulas read as pull; give one, or leave "
        "the row out.");
  CHECK(people.complaint(head + "b,1,1,NA\n").find(":row 3, column 'own width': the number of this agent is missing") ==
        0);
  CHECK(people.complaint(head + "b,1,high,1\n").find(":row 3, column 'pull': 'high' is not a number") == 0);
  CHECK(people.complaint(head + "b,1,1,inf\n").find(":row 3, column 'own width'") == 0);
  CHECK(people.complaint("node,opinion,pull\na,0,1\nb,1,1\n") ==
        ": has no column 'own width'; there are: 'node', 'opinion', 'pull'.");
  CHECK(people.complaint("node,opinion,pull,own width,age\na,0,1,1,9\nb,1,1,1,9\n") ==
        ": has a column 'age', which nothing reads (model.components = 1); remove it, or let formulas read it by "
        "[[formula.parameters]] of type \"column\".");
  CHECK(people.complaint("node,opinion,pul,own width\na,0,1,1\nb,1,1,1\n").find("did you mean 'pull'? Else let") !=
        std::string::npos);
  CHECK(people.complaint(head + "b,1,1,1\n", "bots.opinions = [1.0]\n")
            .find("bots.opinions: bots have no numbers of their own columns; give bots in start.file") !=
        std::string::npos);
  CHECK(support::complaints_of("opinion.simulate",
                               "model.name = \"formula\"\nformula.update = \"a * x\"\n"
                               "formula.parameters = [{type = \"column\", name = \"a\"}]\n")
            .find("formula.parameters reads 'a' from a column, but start.kind = \"gaussian_quantiles\" has no table") !=
        std::string::npos);
}

TEST_CASE("a component that opinions have not is named with how many there are", "[opinion][formula][errors]") {
  const auto said = [](const std::string& update, const std::string& more) {
    return support::complaints_of(
        "opinion.simulate",
        "model.name = \"formula\"\nstart.kind = \"normal\"\nformula.update = \"" + update + "\"\n" + more);
  };
  CHECK(said("h_3", "model.components = 2\n").find("'h_3' is no variable") != std::string::npos);
  CHECK(said("h_3", "model.components = 2\n").find("(Opinions have 2 components.)") != std::string::npos);
  CHECK(said("h_3", "model.components = 3\n").empty());
  CHECK(said("h_1", "").find("(Opinions have one component; model.components gives more.)") != std::string::npos);
  CHECK(said("h2", "").find("one component") == std::string::npos);
  CHECK(said("h_1", "").find("did you mean 'h'?") != std::string::npos);
  CHECK(said("x_1", "model.components = 2\nformula.step = \"pairs\"\n").find("did you mean 'x_i'?") !=
        std::string::npos);
  const std::string own = "formula.parameters = [{type = \"number\", name = \"h_12\", value = 2.0}]\n";
  CHECK(said("h_12", own).find("has the name 'h_12', which formulas have already") != std::string::npos);
}

TEST_CASE("a number that agents have of their own is no control of a transition", "[opinion][formula][phase]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("agents.csv")) << "node,opinion,pull\na,0,1\nb,1,1\n";
  const std::string model =
      "model.name = \"formula\"\nstart.kind = \"file\"\nstart.file = \"" + folder.file("agents.csv") +
      "\"\nformula.influence = \"d < width\"\nformula.update = \"x + pull * (h - x)\"\nformula.parameters = [{type = "
      "\"column\", name = \"pull\"}, {type = \"number\", name = \"width\"}]\nphase.control = \"formula.";
  CHECK(support::complaints_of("opinion.phase", model + "width\"\n").empty());
  CHECK(support::complaints_of("opinion.phase", model + "pull\"\n").find("Did you mean") == std::string::npos);
  CHECK(support::complaints_of("opinion.phase", model + "pull\"\n").find("\"formula.pull\", but must be a number") !=
        std::string::npos);
}

}  // namespace fovea::opinion::formula_components
