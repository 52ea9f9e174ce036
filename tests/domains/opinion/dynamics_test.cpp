#include "fovea/domains/opinion/dynamics/dynamics.hpp"

#include <Eigen/Geometry>

#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

constexpr double kTwinRounding = 1e-12;  // sums of some hundred terms near 1
constexpr double kDifference = 2e-7;     // central differences with h = 1e-6 of functions near 1: h^2 + 1e-16 / h, x100
constexpr double kStep = 1e-6;

bool on_circle(const dynamics::ModelEntry& entry) { return entry.rule.update == dynamics::Update::turn; }
bool on_sphere(const dynamics::ModelEntry& entry) { return entry.rule.update == dynamics::Update::project; }

Matrix<double> random_opinions(Index n, Index d, const Random& random) {
  Matrix<double> opinions(n, d);
  for (Index k = 0; k < opinions.size(); ++k) opinions.data()[k] = random.normal(static_cast<std::uint64_t>(k));
  return opinions;
}

/// A crowd that the model can have: d components, or what its space asks for.
dynamics::Agents example_agents(const dynamics::ModelEntry& entry, Index n, Index d, std::uint64_t seed = 7) {
  dynamics::Agents agents;
  agents.start = random_opinions(n, on_circle(entry) ? 1 : on_sphere(entry) ? std::max<Index>(d, 2) : d, Random(seed));
  if (on_sphere(entry)) agents.start.rowwise().normalize();
  if (entry.rule.update.imitates) agents.start = agents.start.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
  const bool unbounded =
      entry.rule.normaliser == dynamics::Normaliser::crowd && entry.rule.update == dynamics::Update::relax;
  if (unbounded) agents.start *= 0.3;  // further out it leaves the numbers within three steps
  return agents;
}

dynamics::ModelSettings example_settings(const dynamics::ModelEntry& entry) {
  dynamics::ModelSettings settings;
  settings.model = entry.name;
  settings.temperature = 0.4;
  settings.confidence = 0.7;
  settings.sharpness = 3;
  settings.coupling = 1.3;
  settings.steepness = 1.7;
  settings.stubbornness = 0.15;
  settings.self_weight = 1.6;
  return settings;
}

/// Differs from agent to agent: nothing is left at its neutral value.
void give_own_numbers(dynamics::Agents& agents) {
  const Random random(99);
  for (Index i = 0; i < agents.count(); ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    agents.stubbornness.push_back(0.5 * random.uniform(k, 0));
    agents.temperature.push_back(0.3 + random.uniform(k, 1));
    agents.confidence.push_back(0.4 + random.uniform(k, 2));
    agents.reach.push_back(0.2 + 3 * random.uniform(k, 3));
  }
}

society::Graph example_graph(Index n, bool weighted) {
  society::Graph graph;
  graph.nodes = n;
  const Random random(5);
  for (Index a = 0; a < n; ++a)
    for (Index b = a + 1; b < n; ++b)
      if (random.uniform(static_cast<std::uint64_t>(a * n + b)) < 0.2) {
        graph.edges.push_back({a, b});
        if (weighted) graph.weights.push_back(0.5 + random.uniform(static_cast<std::uint64_t>(a * n + b), 1));
      }
  return graph;
}

Matrix<double> after(dynamics::Dynamics& dynamics, std::int64_t steps) {
  Matrix<double> opinions = dynamics.agents().start;
  for (std::int64_t step = 0; step < steps; ++step) dynamics.step(opinions, step);
  return opinions;
}

Matrix<double> run_model(const dynamics::ModelSettings& settings, const dynamics::Agents& agents,
                         const society::Graph* graph, std::int64_t steps) {
  return after(*dynamics::make_dynamics(settings, agents, graph, Random(3)), steps);
}

double largest(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

bool drawn_contacts(const dynamics::ModelEntry& entry) { return !entry.rule.update.hears; }

/// Every model, all-to-all and on a network, with one number for all and with own numbers.
template <typename Claim>
void for_each_model(const Claim& claim) {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (drawn_contacts(entry)) continue;
    for (const Index d : {1, 3}) {
      if (on_circle(entry) && d > 1) continue;
      for (const bool own : {false, true})
        for (const bool network : {false, true}) {
          const Index n = 40;
          dynamics::Agents agents = example_agents(entry, n, d);
          if (own) give_own_numbers(agents);
          const society::Graph graph = example_graph(n, own);
          DYNAMIC_SECTION(entry.name << ", " << d << " components" << (own ? ", own numbers" : "")
                                     << (network ? ", network" : "")) {
            claim(example_settings(entry), agents, network ? &graph : nullptr);
          }
        }
    }
  }
}

TEST_CASE("every model: the fast way and the engine give the same trajectory", "[opinion][models][twin]") {
  for_each_model([](dynamics::ModelSettings settings, const dynamics::Agents& agents, const society::Graph* graph) {
    const char* const scores[] = {"gaussian", "dot_product", "cosine", "log_distance"};
    for (const char* score : scores) {
      settings.score = score;
      if (!dynamics::find_model(settings.model).needs("score") && std::strcmp(score, "gaussian") != 0) continue;
      settings.fast = true;
      const Matrix<double> fast = run_model(settings, agents, graph, 3);
      settings.fast = false;
      INFO(score);
      const double scale = 1 + fast.cwiseAbs().maxCoeff();  // unnormalised particles on the line grow
      CHECK(largest(fast, run_model(settings, agents, graph, 3)) < kTwinRounding * scale);
    }
  });
}

TEST_CASE("every model: the transposed Jacobian agrees with central differences", "[opinion][models][gradient]") {
  for_each_model(
      [](const dynamics::ModelSettings& settings, const dynamics::Agents& agents, const society::Graph* graph) {
        const auto dynamics = dynamics::make_dynamics(settings, agents, graph, Random(3));
        const Matrix<double> opinions = dynamics->agents().start;
        const Matrix<double> v = random_opinions(opinions.rows(), opinions.cols(), Random(11));
        if (settings.model == "hegselmann_krause" || settings.model == "formula") {
          CHECK_THROWS_AS(dynamics->transposed_jacobian(opinions, v), ArgumentError);
          return;
        }
        const Matrix<double> product = dynamics->transposed_jacobian(opinions, v);
        for (Index k = 0; k < opinions.size(); k += 7) {
          Matrix<double> up = opinions, down = opinions;
          up.data()[k] += kStep;
          down.data()[k] -= kStep;
          dynamics->step(up, 0);
          dynamics->step(down, 0);
          const double measured = v.cwiseProduct(up - down).sum() / (2 * kStep);
          INFO("entry " << k);
          CHECK(std::abs(product.data()[k] - measured) < kDifference * (1 + product.cwiseAbs().maxCoeff()));
        }
      });
}

dynamics::Agents permuted(const dynamics::Agents& agents, const std::vector<Index>& order) {
  dynamics::Agents moved = agents;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = order[k];
    moved.start.row(static_cast<Index>(k)) = agents.start.row(order[k]);
    if (agents.stubbornness.empty()) continue;
    moved.stubbornness[k] = agents.stubbornness[from];
    moved.temperature[k] = agents.temperature[from];
    moved.confidence[k] = agents.confidence[from];
    moved.reach[k] = agents.reach[from];
  }
  return moved;
}

TEST_CASE("every model: agents in another order give the same opinions in that order", "[opinion][models][property]") {
  for_each_model(
      [](const dynamics::ModelSettings& settings, const dynamics::Agents& agents, const society::Graph* graph) {
        std::vector<Index> order(agents.count());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>((7 * k + 3) % order.size());
        society::Graph moved_graph;
        if (graph != nullptr) {
          moved_graph = *graph;
          std::vector<Index> place(order.size());
          for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
          for (society::Edge& edge : moved_graph.edges) {
            for (Index& node : edge) node = place[node];
            if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
          }
        }
        const Matrix<double> as_is = run_model(settings, agents, graph, 2);
        const Matrix<double> moved = run_model(settings, permuted(agents, order), graph ? &moved_graph : nullptr, 2);
        double worst = 0;
        for (std::size_t k = 0; k < order.size(); ++k)
          worst = std::max(worst, (moved.row(static_cast<Index>(k)) - as_is.row(order[k])).cwiseAbs().maxCoeff());
        CHECK(worst < kTwinRounding * (1 + as_is.cwiseAbs().maxCoeff()));
      });
}

TEST_CASE("every model: a crowd of one mind stays of one mind", "[opinion][models][property]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (entry.rule.update == dynamics::Update::contacts) continue;  // whoever hears more is pushed further
    DYNAMIC_SECTION(entry.name) {
      dynamics::Agents agents = example_agents(entry, 30, 1);
      for (Index i = 1; i < agents.count(); ++i) agents.start.row(i) = agents.start.row(0);
      const Matrix<double> opinions = run_model(example_settings(entry), agents, nullptr, 5);
      CHECK((opinions.rowwise() - opinions.row(0)).cwiseAbs().maxCoeff() < kTwinRounding);
      const bool moves = entry.rule.update == dynamics::Update::relax;  // -x + K h(x) need not vanish
      if (!moves) CHECK(largest(opinions, agents.start) < kTwinRounding);
    }
  }
}

TEST_CASE("models that see differences alone move with the crowd", "[opinion][models][property]") {
  constexpr double kShift = 0.375;  // a sum of powers of two: shifting rounds little
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    const bool differences =
        entry.rule.update == dynamics::Update::turn || entry.rule.update == dynamics::Update::pairs ||
        (entry.rule.update == dynamics::Update::replace && entry.rule.score != dynamics::Score::dot_product);
    if (!differences) continue;
    DYNAMIC_SECTION(entry.name) {
      const dynamics::Agents agents = example_agents(entry, 50, 1);
      dynamics::Agents shifted = agents;
      shifted.start.array() += kShift;
      const Matrix<double> here = run_model(example_settings(entry), agents, nullptr, 4);
      const Matrix<double> there = run_model(example_settings(entry), shifted, nullptr, 4);
      CHECK(((there - here).array() - kShift).abs().maxCoeff() < 1e-9);  // as above, with draws by rounded distances
    }
  }
}

TEST_CASE("on the sphere a turned crowd goes the turned way", "[opinion][models][property]") {
  for (const char* model : {"transformer_sphere", "transformer_sphere_unnormalised"}) {
    const dynamics::ModelEntry& entry = dynamics::find_model(model);
    dynamics::Agents agents = example_agents(entry, 25, 3);
    Eigen::Matrix3d turn = (Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized())).toRotationMatrix();
    dynamics::Agents turned = agents;
    turned.start = agents.start * turn.transpose();
    const Matrix<double> here = run_model(example_settings(entry), agents, nullptr, 5);
    CHECK(largest(here * turn.transpose(), run_model(example_settings(entry), turned, nullptr, 5)) < kTwinRounding);
    CHECK((here.rowwise().norm().array() - 1).abs().maxCoeff() < kTwinRounding);
  }
}

TEST_CASE("every model: a run that is taken up again ends with the same bits, for any number of threads",
          "[opinion][models][threads]") {
  const int before = omp_get_max_threads();
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    DYNAMIC_SECTION(entry.name) {
      dynamics::Agents agents = example_agents(entry, 1100, 1);  // more than a part of 1024
      dynamics::ModelSettings settings = example_settings(entry);
      settings.noise = 0.01;
      omp_set_num_threads(1);
      const Matrix<double> through = run_model(settings, agents, nullptr, 3);
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        auto dynamics = dynamics::make_dynamics(settings, agents, nullptr, Random(3));
        Matrix<double> opinions = dynamics->agents().start;
        for (std::int64_t step = 0; step < 3; ++step) {
          dynamics = dynamics::make_dynamics(settings, agents, nullptr, Random(3));
          dynamics->step(opinions, step);
        }
        CHECK(opinions == through);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("every model: bots stand still, also in noise, and are heard", "[opinion][models][property]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    DYNAMIC_SECTION(entry.name) {
      dynamics::Agents agents = example_agents(entry, 30, 1);
      agents.stubbornness.assign(30, 0.0);
      agents.counted.assign(30, 1);
      agents.stubbornness[4] = 1;
      agents.counted[4] = 0;
      dynamics::ModelSettings settings = example_settings(entry);
      settings.noise = 0.02;
      settings.confidence = 5;
      settings.rejection = 6;
      const std::int64_t steps = entry.rule.update.imitates ? 6 : 40;  // contacts are rare, consensus forgets
      Matrix<double> opinions = run_model(settings, agents, nullptr, steps);
      CHECK((opinions.row(4) - agents.start.row(4)).cwiseAbs().maxCoeff() < kTwinRounding);
      agents.start.row(4) = -agents.start.row(4);
      Matrix<double> others = run_model(settings, agents, nullptr, steps);
      others.row(4) = opinions.row(4);
      CHECK(others != opinions);
    }
  }
}

TEST_CASE("reach 0: nobody is heard, so everybody keeps its own opinion", "[opinion][models]") {
  for (const char* model : {"attention", "hegselmann_krause"}) {
    dynamics::Agents agents;
    agents.start = (Matrix<double>(4, 1) << 0, 0.1, 5, 9).finished();
    agents.reach = {1, 0, 0, 0};
    dynamics::ModelSettings settings;
    settings.model = model;
    const Matrix<double> next = run_model(settings, agents, nullptr, 1);
    CHECK(next(0, 0) == 0);
    CHECK(std::abs(next(1, 0)) < kTwinRounding);
    const bool bounded = settings.model == "hegselmann_krause";  // attention knows no bound: the only voice is heard
    CHECK(std::abs(next(3, 0) - (bounded ? 9 : 0)) < kTwinRounding);
  }
}

TEST_CASE("controls are set where the model has them", "[opinion][models][errors]") {
  dynamics::Agents agents;
  agents.start = random_opinions(5, 1, Random(1));
  dynamics::ModelSettings settings;
  settings.model = "hegselmann_krause";
  const auto bounded = dynamics::make_dynamics(settings, agents, nullptr, Random(1));
  bounded->set(dynamics::Control::confidence, 100);
  Matrix<double> opinions = agents.start;
  bounded->step(opinions, 0);
  CHECK(std::abs(opinions(2, 0) - agents.start.mean()) < kTwinRounding);
  CHECK_THROWS_WITH(bounded->set(dynamics::Control::temperature, 1),
                    "hegselmann_krause: temperature cannot be set; this model reads confidence, stubbornness, noise.");
  CHECK_THROWS_WITH(bounded->set(dynamics::Control::confidence, 0),
                    "hegselmann_krause: confidence = 0, but must be > 0.");
  agents.confidence.assign(5, 0.3);
  CHECK_THROWS_WITH(
      dynamics::make_dynamics(settings, agents, nullptr, Random(1))->set(dynamics::Control::confidence, 1),
      "hegselmann_krause: confidence cannot be set, because the agents have values of their own; leave those out to "
      "set one for all.");
}

TEST_CASE("what cannot be is refused in one sentence", "[opinion][models][errors]") {
  dynamics::Agents agents;
  agents.start = random_opinions(3, 2, Random(1));
  dynamics::ModelSettings settings;
  const auto complaint = [&](const society::Graph* graph = nullptr) {
    return support::refusal_of<ArgumentError>([&] { dynamics::make_dynamics(settings, agents, graph, Random(1)); });
  };
  settings.model = "transformer_circle";
  CHECK(complaint() == "transformer_circle: opinions have 2 components, but on the circle each is 1 angle in radians.");
  settings.model = "baumann";
  CHECK(complaint() == "baumann: opinions have 2 components, but this model has 1.");
  agents.start = random_opinions(3, 1, Random(1));
  const society::Graph two{2, {{0, 1}}, {}};
  CHECK(complaint(&two) == "baumann: takes no network, because its agents draw their own contacts.");
  settings.model = "transformer_sphere";
  CHECK(complaint() == "transformer_sphere: opinions have 1 component, but a point of the sphere needs at least 2.");
  settings.model = "attention";
  CHECK(complaint(&two) == "attention: there are 3 agents but a network of 2 nodes; each agent needs one.");
  agents.reach = {0, 0, 0};
  CHECK(complaint() ==
        "make_dynamics: the reach of every agent is 0, so no agent has any influence; at least one must be > 0.");
  agents.reach = {1, -1, 0};
  CHECK(complaint() == "make_dynamics: reach of agent 1 = -1, but must be >= 0.");
  agents.reach = {1};
  CHECK(complaint() == "make_dynamics: there are 3 agents but 1 values of reach; give one for each agent, or none.");
  settings.score = "gausian";
  CHECK(complaint() ==
        "make_dynamics: the score is 'gausian', but must be gaussian, dot_product, cosine or log_distance.");
  settings.model = "degrot";
  CHECK(complaint().starts_with(
      "make_dynamics: the model is 'degrot', but must be one of algorithmic_bias, attention, "));
  settings = {};
  settings.temperature = 0;
  CHECK(complaint() == "make_dynamics: temperature = 0, but must be > 0.");
  settings.temperature = 1;
  settings.self_weight = 0;
  CHECK(complaint() == "make_dynamics: self_weight = 0, but must be > 0.");
  settings.self_weight = 1;
  agents.reach.clear();
  agents.stubbornness = {0, 1.5, 0};
  CHECK(complaint() == "make_dynamics: stubbornness of agent 1 = 1.5, but must be in [0, 1].");
  agents.stubbornness.clear();
  agents.start(2, 0) = std::nan("");
  CHECK(complaint() == "make_dynamics: the start of agent 2 is NaN or infinite; each opinion must be finite.");
}

TEST_CASE("the table of models is alphabetical and says what each reads", "[opinion][models]") {
  for (std::size_t k = 0; k + 1 < dynamics::models().size(); ++k)
    CHECK(dynamics::models()[k].name < dynamics::models()[k + 1].name);
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    CHECK(!entry.equation.empty());
    CHECK(!entry.source.empty());
    CHECK(entry.needs("temperature") == (entry.reads.find("temperature") != std::string_view::npos));
    CHECK(!entry.needs("temp"));
  }
}

}  // namespace
}  // namespace fovea::opinion
