#include "fovea/domains/opinion/dynamics.hpp"

#include <omp.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "fovea/core/error.hpp"
#include "fovea/domains/opinion/models.hpp"
#include "fovea/tests/support/catch.hpp"

namespace fovea::opinion {
namespace {

constexpr double kRounding = 1e-12;   // sums of some hundred terms near 1
constexpr double kDifference = 2e-7;  // central differences with h = 1e-6 of functions near 1: h^2 + 1e-16 / h, x100
constexpr double kStep = 1e-6;

bool on_circle(const ModelEntry& entry) { return entry.rule.update == Update::turn; }
bool on_sphere(const ModelEntry& entry) { return entry.rule.update == Update::project; }

Matrix<double> random_opinions(Index n, Index d, const Random& random) {
  Matrix<double> opinions(n, d);
  for (Index k = 0; k < opinions.size(); ++k) opinions.data()[k] = random.normal(static_cast<std::uint64_t>(k));
  return opinions;
}

/// A crowd that the model can have: d components, or what its space asks for.
Agents example_agents(const ModelEntry& entry, Index n, Index d, std::uint64_t seed = 7) {
  Agents agents;
  agents.start = random_opinions(n, on_circle(entry) ? 1 : on_sphere(entry) ? std::max<Index>(d, 2) : d, Random(seed));
  if (on_sphere(entry)) agents.start.rowwise().normalize();
  const bool unbounded = entry.rule.normaliser == Normaliser::crowd && entry.rule.update == Update::relax;
  if (unbounded) agents.start *= 0.3;  // further out it leaves the numbers within three steps
  return agents;
}

ModelSettings example_settings(const ModelEntry& entry) {
  ModelSettings settings;
  settings.model = entry.name;
  settings.temperature = 0.4;
  settings.confidence = 0.7;
  settings.sharpness = 3;
  settings.coupling = 1.3;
  settings.steepness = 1.7;
  settings.stubbornness = 0.15;
  return settings;
}

/// Differs from agent to agent: nothing is left at its neutral value.
void give_own_numbers(Agents& agents) {
  const Random random(99);
  for (Index i = 0; i < agents.count(); ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    agents.stubbornness.push_back(0.5 * random.uniform(k, 0));
    agents.temperature.push_back(0.3 + random.uniform(k, 1));
    agents.confidence.push_back(0.4 + random.uniform(k, 2));
    agents.reach.push_back(0.2 + 3 * random.uniform(k, 3));
  }
}

Graph example_graph(Index n, bool weighted) {
  Graph graph;
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

Matrix<double> after(Dynamics& dynamics, std::int64_t steps) {
  Matrix<double> opinions = dynamics.agents().start;
  for (std::int64_t step = 0; step < steps; ++step) dynamics.step(opinions, step);
  return opinions;
}

Matrix<double> run_model(const ModelSettings& settings, const Agents& agents, const Graph* graph, std::int64_t steps) {
  return after(*make_dynamics(settings, agents, graph, Random(3)), steps);
}

double largest(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

bool drawn_contacts(const ModelEntry& entry) {
  return entry.rule.update == Update::pairs || entry.rule.update == Update::contacts;
}

/// Every model, all-to-all and on a network, with one number for all and with own numbers.
template <typename Claim>
void for_each_model(const Claim& claim) {
  for (const ModelEntry& entry : models()) {
    if (drawn_contacts(entry)) continue;
    for (const Index d : {1, 3}) {
      if (on_circle(entry) && d > 1) continue;
      for (const bool own : {false, true})
        for (const bool network : {false, true}) {
          const Index n = 40;
          Agents agents = example_agents(entry, n, d);
          if (own) give_own_numbers(agents);
          const Graph graph = example_graph(n, own);
          DYNAMIC_SECTION(entry.name << ", " << d << " components" << (own ? ", own numbers" : "")
                                     << (network ? ", network" : "")) {
            claim(example_settings(entry), agents, network ? &graph : nullptr);
          }
        }
    }
  }
}

TEST_CASE("every model: the fast way and the engine give the same trajectory", "[opinion][models][twin]") {
  for_each_model([](ModelSettings settings, const Agents& agents, const Graph* graph) {
    const char* const scores[] = {"gaussian", "dot_product", "cosine", "log_distance"};
    for (const char* score : scores) {
      settings.score = score;
      if (!find_model(settings.model).needs("score") && std::strcmp(score, "gaussian") != 0) continue;
      settings.fast = true;
      const Matrix<double> fast = run_model(settings, agents, graph, 3);
      settings.fast = false;
      INFO(score);
      const double scale = 1 + fast.cwiseAbs().maxCoeff();  // unnormalised particles on the line grow
      CHECK(largest(fast, run_model(settings, agents, graph, 3)) < kRounding * scale);
    }
  });
}

TEST_CASE("every model: the transposed Jacobian agrees with central differences", "[opinion][models][gradient]") {
  for_each_model([](const ModelSettings& settings, const Agents& agents, const Graph* graph) {
    const auto dynamics = make_dynamics(settings, agents, graph, Random(3));
    const Matrix<double> opinions = dynamics->agents().start;
    const Matrix<double> v = random_opinions(opinions.rows(), opinions.cols(), Random(11));
    if (settings.model == "hegselmann_krause") {
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

}  // namespace
}  // namespace fovea::opinion
