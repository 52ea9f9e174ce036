/// Models that a config writes as formulas: the same ones as those built in, and what is said of mistakes.

#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

constexpr double kTwin = 1e-12;  // of opinions near 1: sums of some hundred terms, in another order
constexpr Index kAgents = 60;
constexpr std::int64_t kSteps = 12;

struct Published {
  std::string model, score;
  dynamics::FormulaSettings formula;
  bool several = true;  ///< also of three components
};

dynamics::FormulaSettings hearing(const std::string& influence, const std::string& normaliser, const std::string& value,
                                  const std::string& update) {
  dynamics::FormulaSettings formula;
  formula.influence = influence;
  formula.normaliser = normaliser;
  formula.value = value;
  formula.update = update;
  return formula;
}

dynamics::FormulaSettings meeting(const std::string& update) {
  dynamics::FormulaSettings formula;
  formula.step = "pairs";
  formula.update = update;
  return formula;
}

const std::string kReplace = "(1 - s) * h + s * x0 + noise * xi";
const std::string kRelax = "x + dt * ((1 - s) * K * h + s * x0 - x) + sqrt(2 * noise * dt) * xi";
const std::string kTurn = "x + dt * ((1 - s) * K * h + s * sin(x0 - x)) + sqrt(2 * noise * dt) * xi";

std::vector<Published> published() {
  std::vector<Published> all{
      {"attention", "gaussian", hearing("-d^2 / (2 * T)", "softmax", "x_j", kReplace)},
      {"attention", "gaussian", hearing("exp(-d^2 / (2 * T))", "share", "x_j", kReplace)},
      {"attention", "log_distance", hearing("max(d, 0.3)^(-1 / T)", "share", "x_j", kReplace)},
      {"attention", "dot_product", hearing("dot / T", "softmax", "x_j", kReplace)},
      {"deffuant", "", meeting("d < eps ? x_i + (1 - s) * mu * (x_j - x_i) : x_i")},
      {"degroot", "", hearing("1", "share", "x_j", "h + noise * xi")},
      {"friedkin_johnsen", "", hearing("2 - 1", "softmax", "x_j", kReplace)},
      {"hegselmann_krause", "", hearing("d <= eps", "share", "x_j", kReplace)},
      {"jager_amblard", "", meeting("max(-U, min(U, x_i + (1 - s) * mu * ((d < eps) - (d > 1.4)) * (x_j - x_i)))"),
       false},
      {"saturation", "gaussian", hearing("-d^2 / (2 * T)", "softmax", "tanh(alpha * x_j)", kRelax)},
      {"smooth_bounded_confidence", "", hearing("1 / (1 + exp(gamma * (d^2 - eps^2)))", "share", "x_j", kRelax)},
      {"transformer_circle", "", hearing("cos(x_j - x_i) / T", "softmax", "sin(x_j - x_i)", kTurn), false},
      {"transformer_line", "", hearing("dot / T", "softmax", "x_j", kRelax)},
      {"transformer_line_unnormalised", "", hearing("exp(dot / T)", "crowd", "x_j", kRelax)},
  };
  return all;
}

Matrix<double> drawn(Index n, Index d) {
  Matrix<double> opinions(n, d);
  for (Index k = 0; k < opinions.size(); ++k)
    opinions.data()[k] = 2 * Random(7).uniform(static_cast<std::uint64_t>(k)) - 1;
  return opinions;
}

/// own: numbers that differ from agent to agent, and a bot.
dynamics::Agents crowd(Index n, Index d, bool own, double spread = 1) {
  dynamics::Agents agents;
  agents.start = spread * drawn(n, d);
  for (Index i = 0; i < n && own; ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    agents.stubbornness.push_back(i == 4 ? 1 : 0.5 * Random(9).uniform(k, 0));
    agents.temperature.push_back(0.3 + Random(9).uniform(k, 1));
    agents.confidence.push_back(0.3 + 0.5 * Random(9).uniform(k, 2));
    agents.reach.push_back(0.2 + 3 * Random(9).uniform(k, 3));
    agents.counted.push_back(i == 4 ? 0 : 1);
  }
  return agents;
}

/// Without a normaliser opinions further out leave the numbers within a few steps.
double spread_of(const Published& model) { return model.formula.normaliser == "crowd" ? 0.2 : 1; }

/// Agent 0 is heard by, and hears, everybody: its row is longer than a block where there are many.
society::Graph network(Index n, bool weighted) {
  society::Graph graph;
  graph.nodes = n;
  for (Index a = 0; a < n; ++a)
    for (Index b = a + 1; b < n; ++b) {
      const auto pair = static_cast<std::uint64_t>(a * n + b);
      if (a > 0 && Random(5).uniform(pair) > 8.0 / static_cast<double>(n)) continue;
      graph.edges.push_back({a, b});
      if (weighted) graph.weights.push_back(0.5 + Random(5).uniform(pair, 1));
    }
  return graph;
}

dynamics::ModelSettings numbers(const Published& model, double noise) {
  dynamics::ModelSettings settings;
  settings.model = model.model;
  settings.score = model.score.empty() ? "gaussian" : model.score;
  settings.temperature = 0.3;
  settings.confidence = 0.45;
  settings.sharpness = 5;
  settings.coupling = 1.2;
  settings.steepness = 1.7;
  settings.convergence = 0.4;
  settings.stubbornness = model.formula.update.find("s ") == std::string::npos ? 0 : 0.15;
  settings.self_weight = 1.6;
  settings.distance_floor = 0.3;
  settings.rejection = 1.4;
  settings.noise = model.formula.step == "pairs" ? 0 : noise;
  settings.formula = model.formula;
  settings.formula.parameters = {{"U", 1}};
  return settings;
}

dynamics::ModelSettings written(dynamics::ModelSettings settings) {
  settings.model = "formula";
  return settings;
}

Matrix<double> run(const dynamics::ModelSettings& settings, const dynamics::Agents& agents,
                   const society::Graph* graph) {
  const auto dynamics = dynamics::make_dynamics(settings, agents, graph, Random(3));
  Matrix<double> opinions = agents.start;
  for (std::int64_t step = 0; step < kSteps; ++step) dynamics->step(opinions, step);
  return opinions;
}

double furthest_apart(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST_CASE("a published model written as formulas has the trajectory of the one built in", "[opinion][formula][twin]") {
  for (const Published& model : published())
    for (const Index d : {1, 3})
      for (const bool own : {false, true})
        for (const bool on_network : {false, true}) {
          if (d > 1 && !model.several) continue;
          if (model.model == "degroot" && own) continue;  // its formula reads no s
          const dynamics::Agents agents = crowd(kAgents, d, own, spread_of(model));
          const society::Graph graph = network(kAgents, own);
          const dynamics::ModelSettings settings = numbers(model, own ? 0.01 : 0);
          const society::Graph* who = on_network ? &graph : nullptr;
          const Matrix<double> built_in = run(settings, agents, who), formula = run(written(settings), agents, who);
          INFO(model.model << ' ' << model.formula.influence << ", " << d << " components" << (own ? ", own" : "")
                           << (on_network ? ", network" : ""));
          CHECK(furthest_apart(built_in, formula) < kTwin * (1 + built_in.cwiseAbs().maxCoeff()));
          CHECK(furthest_apart(built_in, agents.start) > 0.01);
        }
}

TEST_CASE("rows and crowds longer than a block of pairs are summed whole", "[opinion][formula][twin]") {
  constexpr Index kMany = 700;
  const society::Graph graph = network(kMany, true);
  for (const Published& model : published()) {
    if (model.model == "degroot") continue;
    const dynamics::Agents agents = crowd(kMany, 1, true, spread_of(model));
    dynamics::ModelSettings settings = numbers(model, 0.01);
    for (const society::Graph* who : {static_cast<const society::Graph*>(nullptr), &graph}) {
      INFO(model.model << ' ' << model.formula.influence << (who ? ", network" : ""));
      const Matrix<double> built_in = run(settings, agents, who);
      CHECK(furthest_apart(built_in, run(written(settings), agents, who)) <
            kTwin * (1 + built_in.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_CASE("formulas know direction, one's own weight and repulsion as DeGroot's model does",
          "[opinion][formula][twin]") {
  society::Graph graph = network(kAgents, true);
  graph.directed = true;
  graph.own.assign(kAgents, 0.3);
  for (std::size_t e = 0; e < graph.weights.size(); e += 3) graph.weights[e] *= -1;
  const Published degroot{"degroot", "", hearing("1", "share", "x_j", "h")};
  const dynamics::ModelSettings settings = numbers(degroot, 0);
  const dynamics::Agents agents = crowd(kAgents, 1, false);
  const Matrix<double> built_in = run(settings, agents, &graph);
  CHECK(furthest_apart(built_in, run(written(settings), agents, &graph)) < kTwin);
  dynamics::ModelSettings by_pairs = written(settings);
  by_pairs.formula.influence = "1 + 0 * t + (d < -1)";  // 1, but not before the pair is known
  CHECK(furthest_apart(built_in, run(by_pairs, agents, &graph)) < kTwin);
  by_pairs.formula.normaliser = "softmax";
  CHECK_THROWS_WITH(run(by_pairs, agents, &graph),
                    "formula: the network has negative weights, which formula.normaliser = \"softmax\" does not know; "
                    "take \"share\" or \"sum\".");
}

TEST_CASE("formulas give the same bits for any number of threads, in a run that is taken up again too",
          "[opinion][formula][threads]") {
  const int before = omp_get_max_threads();
  const society::Graph graph = network(900, true);
  std::vector<Published> models = published();
  models.push_back(
      {"", "",
       hearing("self ? 0 : W * exp(-d / T) * (1 + u_0 * t)", "sum", "(x_j - x_i) / 900", "x + h + 0.01 * (u - 0.5)")});
  models.push_back({"", "", meeting("u < 0.3 ? x_i + first * (x_j - x_i) : x_i + 0.01 * xi")});
  for (Published& model : models) {
    const dynamics::Agents agents = crowd(900, 1, false, spread_of(model));
    dynamics::ModelSettings settings = written(numbers(model, 0.01));
    settings.formula.parameters.emplace_back("u_0", 0.1);
    for (const society::Graph* who : {static_cast<const society::Graph*>(nullptr), &graph}) {
      INFO(model.formula.influence << "; " << model.formula.update);
      omp_set_num_threads(1);
      const Matrix<double> through = run(settings, agents, who);
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        Matrix<double> opinions = agents.start;
        for (std::int64_t step = 0; step < kSteps; ++step)
          dynamics::make_dynamics(settings, agents, who, Random(3))->step(opinions, step);
        CHECK(opinions == through);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("random numbers of formulas are new for each agent and step", "[opinion][formula][statistics]") {
  // 20,000 draws, seed 3: mean and variance of both within four standard errors.
  const dynamics::Agents agents = crowd(20000, 1, false);
  const Published uniform{"", "", hearing("1", "share", "x_j", "u")},
      normal{"", "", hearing("1", "share", "x_j", "xi")};
  const Matrix<double> u = run(written(numbers(uniform, 0)), agents, nullptr);
  const Matrix<double> xi = run(written(numbers(normal, 0)), agents, nullptr);
  const auto variance = [](const Matrix<double>& x) { return (x.array() - x.mean()).square().mean(); };
  CHECK(std::abs(u.mean() - 0.5) < 4 * std::sqrt(1.0 / 12 / 20000));
  CHECK(std::abs(variance(u) - 1.0 / 12) < 4 * std::sqrt(1.0 / 180 / 20000));
  CHECK(std::abs(xi.mean()) < 4 / std::sqrt(20000.0));
  CHECK(std::abs(variance(xi) - 1) < 4 * std::sqrt(2.0 / 20000));
}

TEST_CASE("a crowd that draws no number may rest, and controls are those that formulas read", "[opinion][formula]") {
  const Published attention{"attention", "", hearing("-d^2 / (2 * T)", "softmax", "x_j", kReplace)};
  const dynamics::Agents agents = crowd(20, 1, false);
  const auto crowd_at = [&](double noise) {
    return dynamics::make_dynamics(written(numbers(attention, noise)), agents, nullptr, Random(3));
  };
  CHECK(!crowd_at(0)->never_rests());
  CHECK(crowd_at(0.1)->never_rests());
  // What reads the time may stand still now and move later.
  const Published late{"degroot", "", hearing("1", "share", "x_j", "t < 5 ? x : h")};
  CHECK(dynamics::make_dynamics(written(numbers(late, 0)), agents, nullptr, Random(3))->never_rests());
  const auto tuned = crowd_at(0);
  tuned->set(dynamics::Control::noise, 0.1);
  CHECK(tuned->never_rests());
  tuned->set(dynamics::Control::noise, 0);
  tuned->set(dynamics::Control::temperature, 0.7);
  dynamics::ModelSettings warm = written(numbers(attention, 0));
  warm.temperature = 0.7;
  Matrix<double> opinions = agents.start;
  for (std::int64_t step = 0; step < kSteps; ++step) tuned->step(opinions, step);
  CHECK(opinions == run(warm, agents, nullptr));
  CHECK_THROWS_WITH(tuned->set(dynamics::Control::confidence, 0.7),
                    "formula: confidence cannot be set, because no formula reads eps.");
  CHECK_THROWS_AS(tuned->transposed_jacobian(opinions, opinions), ArgumentError);
}

TEST_CASE("what is not finite is told with formula, agent and step", "[opinion][formula][errors]") {
  dynamics::Agents agents;
  agents.start = (Matrix<double>(3, 1) << 0.5, 0.25, -0.5).finished();
  const auto complaint = [&](const dynamics::FormulaSettings& formula, const society::Graph* graph = nullptr) {
    dynamics::ModelSettings settings;
    settings.model = "formula";
    settings.formula = formula;
    const std::string what = support::refusal_of<ArgumentError>([&] { run(settings, agents, graph); });
    return what.empty() ? "nothing" : what;
  };
  const std::string end = ". Opinions must stay finite.";
  CHECK(complaint(hearing("1 / d", "share", "x_j", "h")) ==
        "formula: in step 0 formula.influence = \"1 / d\" is inf where agent 0 (x_i = 0.5) hears itself (x_j = 0.5)" +
            end);
  CHECK(complaint(hearing("self ? 0 : 1 / d", "share", "x_j", "h")) == "nothing");
  CHECK(complaint(hearing("d", "share", "log(x_j)", "h")) ==
        "formula: in step 0 formula.value = \"log(x_j)\" is NaN where agent 0 (x_i = 0.5) hears agent 2 (x_j = -0.5)" +
            end);
  CHECK(
      complaint(hearing("1", "share", "x_j", "t < 2 ? h : sqrt(-1 - h^2)")) ==
      "formula: in step 2 formula.update = \"t < 2 ? h : sqrt(-1 - h^2)\" is NaN for agent 0 (x = 0.0833, h = 0.0833, "
      "x0 = 0.5)" +
          end);
  const society::Graph pair{3, {{0, 2}}, {}};
  CHECK(complaint(meeting("x_i / (d - 1)"), &pair) ==
        "formula: in step 0 formula.update = \"x_i / (d - 1)\" is inf for agent 0 (x_i = 0.5) that meets agent 2 (x_j "
        "= -0.5)" +
            end);
  CHECK(complaint(hearing("1", "sum", "1e200 * x_j", "h * h")).find("is inf for agent 0") != std::string::npos);
  agents.stubbornness = {0, 0.5, 0};
  CHECK(complaint(hearing("1", "share", "x_j", "h")) ==
        "formula: agent 1 has the stubbornness 0.5, but no formula reads s; let formula.update read it, or leave the "
        "stubbornness out.");
}

std::string formula_complaints(const std::string& toml) {
  return support::complaints_of("opinion.simulate", "model.name = \"formula\"\n" + toml);
}

TEST_CASE("a check names formulas that cannot be read, and keys without effect", "[opinion][formula][errors]") {
  CHECK(formula_complaints("").empty());
  CHECK(
      formula_complaints("formula.influence = \"exp(-d / range)\"\nformula.update = \"h + \"\n") ==
      "test.toml:4:21: formula.influence = \"exp(-d / range)\": at character 10 'range' is no variable; there are x_i, "
      "x_j, "
      "d, dot, self, W, g, t, T, eps, s, K, alpha, beta, gamma, mu, dt, noise.\n"
      "test.toml:5:18: formula.update = \"h + \": at character 5 it ends, but a number, a name or a parenthesis must "
      "follow.\n");
  CHECK(
      formula_complaints("formula.influence = \"x_j\"\nmodel.components = 2\n").find("it has d and dot in place of") !=
      std::string::npos);
  CHECK(formula_complaints("formula.update = \"h\"\nmodel.stubbornness = 0.5\n") ==
        "test.toml:5:22: model.stubbornness is given, but no formula reads s. Remove the key.\n");
  CHECK(formula_complaints("model.rejection = 0.5\n").find("does not read it") != std::string::npos);
  CHECK(formula_complaints("formula.step = \"pairs\"\nformula.update = \"x_j\"\nformula.value = \"1\"\n") ==
        "test.toml:6:17: formula.value is given, but in formula.step = \"pairs\" agents hear nobody but the one they "
        "meet. Remove the key.\n");
  CHECK(formula_complaints("formula.update = \"x / 2\"\nformula.influence = \"1\"\n") ==
        "test.toml:5:21: formula.influence is given, but formula.update does not read h, what is heard. Remove the "
        "key.\n");
  CHECK(formula_complaints("formula.step = \"pairs\"\nformula.update = \"h\"\n")
            .find("'h' is no variable; there are x_i") != std::string::npos);
  CHECK(support::complaints_of("opinion.simulate", "formula.value = \"1\"\n") ==
        "test.toml:3:17: formula.value is given, but counts for model.name = \"formula\" alone. Remove the key.\n");
  CHECK(formula_complaints("shocks.steps = [3]\nshocks.kinds = [\"coupling\"]\nshocks.values = [2.0]\n") ==
        "test.toml:5:16: shocks.kinds has 'coupling', but no formula reads K.\n");
  const std::string parameter = "formula.parameters = [{type = \"number\", name = ";
  CHECK(formula_complaints("formula.influence = \"exp(-d / range)\"\n" + parameter + "\"range\", value = 2.0}]\n")
            .empty());
  CHECK(formula_complaints(parameter + "\"range\", value = 2.0}]\n")
            .find("formula.parameters has 'range', but no formula") != std::string::npos);
  CHECK(formula_complaints(parameter + "\"T\", value = 2.0}]\n").find("which formulas have already") !=
        std::string::npos);
  CHECK(formula_complaints(parameter + "\"exp\"}]\n").find("not be a function or constant") != std::string::npos);
  CHECK(formula_complaints("formula.influence = \"a\"\n" + parameter + "\"a\"}, {type = \"number\", name = \"a\"}]\n")
            .find("'a' twice") != std::string::npos);
  CHECK(formula_complaints("formula.step = \"pairs\"\nformula.update = \"x_j\"\nbots.opinions = [1.0]\n")
            .find("reach has no effect") != std::string::npos);
}

TEST_CASE("what files bring and formulas do not know is named before a run", "[opinion][formula][errors]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("agents.csv"))
      << "node,opinion,stubbornness,kind\na,0.1,0,agent\nb,0.5,0.4,agent\nc,1,1,bot\n";
  std::ofstream(folder.file("bots.csv")) << "node,opinion,kind\na,0.1,agent\nb,0.5,agent\nc,1,bot\n";
  std::ofstream(folder.file("edges.csv")) << "source,target,weight\na,b,1\nb,c,-2\n";
  const auto complaint = [&](const std::string& agents, const std::string& toml) {
    const Experiment& experiment = support::experiment_of("opinion.simulate");
    const Config config = support::config_of(experiment, concat("model.name = \"formula\"\nstart.kind = \"file\"\n"
                                                                "start.file = \"" +
                                                                folder.file(agents) + "\"\n" + toml));
    const std::string what =
        support::refusal_of<ConfigError>([&] { experiment.check_inputs(config, experiment.open(config)); });
    return what.empty() ? "nothing" : what;
  };
  CHECK(
      complaint("agents.csv", "formula.update = \"h\"\n") ==
      "test.toml:6:18: formula.update = \"h\" reads no s, but agent 1 has the stubbornness 0.4 of its own; read s, or "
      "leave the stubbornness out.");
  CHECK(complaint("agents.csv", "") == "nothing");
  CHECK(complaint("bots.csv", "formula.update = \"h\"\n") == "nothing");
  const std::string network = "network.kind = \"edges\"\nnetwork.edges = \"" + folder.file("edges.csv") +
                              "\"\nnetwork.directed = true\nnetwork.use_weights = true\n";
  CHECK(complaint("bots.csv", network) == "nothing");
  CHECK(complaint("bots.csv", network + "formula.normaliser = \"softmax\"\n").starts_with("test.toml:10:22: "));
  CHECK(complaint("bots.csv", network + "formula.normaliser = \"crowd\"\n").find("has negative weights, which only") !=
        std::string::npos);
}

}  // namespace
}  // namespace fovea::opinion
