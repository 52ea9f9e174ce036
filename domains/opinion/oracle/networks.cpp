/// The oracle on transitions on networks (E15): of spins, as opinion.phase locates them without known values, and of
/// oscillators.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"
#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"

namespace fovea::opinion::oracle {

namespace {

using society::Edge;

constexpr double kDegree = 4, kManyNeighbours = 20, kTimeStep = 0.2;

/// Two random cycles through all nodes, which share no edge: as random regular networks of degree 4 for many nodes
/// (Kim & Wormald 2001).
std::vector<Edge> two_cycles(Index nodes, const Random& random) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::vector<Edge> edges;
    for (const std::uint64_t cycle : {0, 1}) {
      std::vector<Index> order(static_cast<std::size_t>(nodes));
      std::iota(order.begin(), order.end(), Index{0});
      for (std::size_t i = order.size() - 1; i > 0; --i)
        std::swap(order[i], order[random.below(i + 1, i, 2 * attempt + cycle)]);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto [low, high] = std::minmax(order[i], order[(i + 1) % order.size()]);
        edges.push_back({low, high});
      }
    }
    std::sort(edges.begin(), edges.end());
    if (std::adjacent_find(edges.begin(), edges.end()) == edges.end()) return edges;
  }
}

/// +1 with chance 1 / (1 + exp(-2 h / T)), h the sum over the neighbours, all at once.
dynamics::ModelSettings spins_at(double temperature) {
  return {.model = "formula",
          .temperature = temperature,
          .formula = {
              .influence = "self ? 0 : 1", .normaliser = "sum", .update = "u < 1 / (1 + exp(-2 * h / T)) ? 1 : -1"}};
}

/// Kuramoto's oscillators without frequencies of their own, the force of a neighbour 2 / <k>; Euler steps.
dynamics::ModelSettings oscillators_at(double noise) {
  return {.model = "formula",
          .coupling = 2 / kManyNeighbours,
          .time_step = kTimeStep,
          .noise = noise,
          .formula = {.influence = "self ? 0 : 1",
                      .normaliser = "sum",
                      .value = "sin(x_j - x_i)",
                      .update = "x + dt * K * h + sqrt(2 * dt * noise) * xi"}};
}

struct NetworkCase {
  std::vector<Edge> (*network)(Index nodes, const Random& random);
  dynamics::ModelSettings (*model_at)(double control);
  double low, high;
  Index replicas = 3;
};

phase::PhaseFindings found_on(const NetworkCase& asked, OracleSheet& sheet) {
  phase::PhaseSettings search;
  search.noisy = search.networks = true;
  search.low = asked.low, search.high = asked.high;
  search.logarithmic = search.mean_is_opinion = false;
  search.points = 6;
  search.sizes = {60, 240, 960};
  search.burn_in = 40, search.steps = 480, search.measure_every = 2;
  search.replicas = asked.replicas;
  search.precision = 0.005;
  search.rounds_max = 3;
  search.draws = 200;
  const auto make = [&](double control, Index size, Index replica, Index walk) {
    const Random own = sheet.random().stream(concat(size, " agents, ", replica, ", ", walk, " at ", control));
    auto graph = std::make_shared<society::Graph>();
    graph->nodes = size;
    graph->edges = asked.network(size, own.stream("network"));
    dynamics::Agents agents;
    agents.start = Matrix<double>(size, 1);
    for (Index i = 0; i < size; ++i) agents.start(i, 0) = own.stream("start").uniform(i) < 0.5 ? 1 : -1;
    auto crowd = dynamics::make_dynamics(asked.model_at(control), std::move(agents), graph.get(), own.stream("noise"));
    return std::shared_ptr<dynamics::Dynamics>(crowd.release(), [graph](dynamics::Dynamics* done) { delete done; });
  };
  const auto bench = plain_workbench();
  return phase::find_transitions(search, make, sheet.random().stream("bootstrap"), *bench);
}

/// A continuous transition near the place that is known.
void compare_crossing(OracleSheet& sheet, const NetworkCase& asked, const std::string& meaning, double known,
                      double within) {
  const phase::PhaseFindings found = found_on(asked, sheet);
  const phase::FoundCrossing& crossing = found.crossing;
  sheet.compare("crossing",
                concat(meaning, ", located without it; 95 % interval ", crossing.low, " to ", crossing.high, ", U4 ",
                       crossing.binder),
                known, crossing.control, relative(within));
}

/// I_1(y) / I_0(y) = 1 / c at y = K / D, bisected; with Euler's steps the noise is ln(1 + D dt) / dt.
double oscillators_order_at() {
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (theory::bessel_ratio(0, middle) < 1 / kManyNeighbours ? low : high) = middle;
  }
  return std::log(1 + kTimeStep * 2 / kManyNeighbours / low) / kTimeStep;
}

/// N <R^2> of disordered oscillators on one network.
double disorder_of(double noise, const Random& random) {
  constexpr Index kOscillators = 1000;
  constexpr int kSettling = 100, kSteps = 2000;
  society::Graph graph;
  graph.nodes = kOscillators;
  graph.edges = society::erdos_renyi(kOscillators, kManyNeighbours, random.stream("network"));
  dynamics::Agents agents;
  agents.start = Matrix<double>(kOscillators, 1);
  for (Index i = 0; i < kOscillators; ++i)
    agents.start(i, 0) = 2 * std::numbers::pi * random.stream("start").uniform(static_cast<std::uint64_t>(i));
  Matrix<double> angles = agents.start;
  const auto crowd = dynamics::make_dynamics(oscillators_at(noise), std::move(agents), &graph, random.stream("noise"));
  double sum = 0;
  for (int step = 0; step < kSettling + kSteps; ++step) {
    crowd->step(angles, step);
    if (step < kSettling) continue;
    const double cosines = angles.array().cos().sum(), sines = angles.array().sin().sum();
    sum += cosines * cosines + sines * sines;
  }
  return sum / (static_cast<double>(kOscillators) * kSteps);
}

}  // namespace

// Of the crossing, from the networks of one run: four standard errors or so.
constexpr double kOfRegular = 0.04, kOfRandom = 0.05, kOfOscillators = 0.04;

void measure_spins_regular(OracleSheet& sheet) {
  compare_crossing(sheet, {&two_cycles, &spins_at, 2.2, 3.7, 2},
                   "temperature where spins order on random networks of "
                   "degree 4",
                   2 / std::log(kDegree / (kDegree - 2)), kOfRegular);
}

void measure_spins_random(OracleSheet& sheet) {
  const auto network = [](Index nodes, const Random& random) { return society::erdos_renyi(nodes, kDegree, random); };
  compare_crossing(sheet, {network, &spins_at, 2.5, 5.5},
                   "temperature where spins order on random networks of mean "
                   "degree 4",
                   1 / std::atanh(1 / kDegree), kOfRandom);
}

void measure_spins_ring(OracleSheet& sheet) {
  const auto ring = [](Index nodes, const Random& random) { return society::watts_strogatz(nodes, 2, 0, random); };
  const phase::PhaseFindings found = found_on({ring, &spins_at, 1, 4}, sheet);
  sheet.claim("none", "no transition of spins on a ring at temperatures from 1 to 4",
              found.kind == phase::TransitionKind::none && phase::compare_sizes(found).absent());
}

void measure_oscillators(OracleSheet& sheet) {
  constexpr std::size_t kNetworks = 16;
  constexpr double kNoise = 1.5;
  std::vector<double> disorder(kNetworks);
  side_by_side(kNetworks,
               [&](std::size_t k) { disorder[k] = disorder_of(kNoise, sheet.random().stream(concat("network ", k))); });
  const double mean = std::accumulate(disorder.begin(), disorder.end(), 0.0) / static_cast<double>(kNetworks);
  // R keeps a part g of itself in a step: N <R^2> = (1 - exp(-2 D dt)) / (1 - g^2), g = (1 + D_c dt) exp(-D dt), and
  // order begins where g = 1
  const double fades = std::exp(-kNoise * kTimeStep);
  const double keeps = std::sqrt(1 - (1 - fades * fades) / mean);
  sheet.compare(
      "threshold",
      concat("noise where oscillators order on random networks of mean degree 20, from N <R^2> = ", mean, " at 1.5"),
      oscillators_order_at(), std::log(keeps / fades) / kTimeStep, relative(kOfOscillators));
}

}  // namespace fovea::opinion::oracle
