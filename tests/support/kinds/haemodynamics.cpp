// Many similar series: a sparse network of nodes, seen through a slow flow of blood. After NetSim (Smith et al. 2011,
// NeuroImage 54, 875), with a double gamma for the response instead of its balloon model.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

constexpr Index kNodes = 50, kEdges = 61, kFurthest = 4;  // an edge leads to one of the next four nodes
constexpr double kStep = 0.05, kSampled = 3;              // seconds
constexpr Index kStepsASample = 60, kBeforeSteps = 800;

struct Edge {
  Index cause, effect;
  double strength;
};

std::vector<Edge> drawn_edges(Draws& draws) {
  std::set<std::pair<Index, Index>> taken;
  std::vector<Edge> edges;
  while (static_cast<Index>(edges.size()) < kEdges) {
    const Index cause = draws.below(kNodes - 1);
    const Index effect = std::min(kNodes - 1, cause + 1 + draws.below(kFurthest));
    const double strength = std::clamp(0.4 + 0.1 * draws.normal(), 0.2, 0.6);
    if (taken.emplace(cause, effect).second) edges.push_back({cause, effect, strength});
  }
  return edges;
}

/// dz/dt = A z(t - step) - z + u: each node is also switched on and off from outside, for 2.5 and 10 s on average.
Matrix<double> activity(const std::vector<Edge>& edges, Index steps, Draws& draws) {
  constexpr double kOn = 2.5, kOff = 10, kJitter = 0.18;
  Matrix<double> z(steps, kNodes);
  std::vector<bool> on(kNodes, false);
  Vector<double> now = Vector<double>::Zero(kNodes), input(kNodes);
  for (Index t = 0; t < steps; ++t) {
    for (Index k = 0; k < kNodes; ++k) {
      const std::size_t node = k;
      if (draws.happens(kStep / (on[node] ? kOn : kOff))) on[node] = !on[node];
      input[k] = (on[node] ? 1 : 0) + kJitter * draws.normal();
    }
    for (const Edge& edge : edges) input[edge.effect] += edge.strength * now[edge.cause];
    now += kStep * (input - now);
    z.row(t) = now.transpose();
  }
  return z;
}

/// Gamma densities with their top at `peak` and at 15 s, the second a sixth of the first (Glover 1999), for 32 s.
Vector<double> blood_response(double peak) {
  const auto steps = static_cast<Index>(32 / kStep);
  Vector<double> response(steps);
  for (Index i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) * kStep, log_t = std::log(std::max(t, 1e-9));
    response[i] = std::exp((peak - 1) * log_t - t - std::lgamma(peak)) - std::exp(15 * log_t - t - std::lgamma(16)) / 6;
  }
  return response;
}

/// One value each 3 s, standardised, with measurement noise of 5 %.
Vector<double> observed(const Vector<double>& activity, Index samples, Draws& draws) {
  const Vector<double> backwards = blood_response(6 + 0.5 * draws.normal()).reverse();
  Vector<double> signal(samples);
  for (Index i = 0; i < samples; ++i)
    signal[i] = backwards.dot(activity.segment(kBeforeSteps + i * kStepsASample - backwards.size(), backwards.size()));
  signal.array() -= signal.mean();
  signal /= std::sqrt(signal.squaredNorm() / static_cast<double>(samples));
  for (double& value : signal) value += 0.05 * draws.normal();
  return signal;
}

}  // namespace

KnownTable haemodynamic(Index set, const Random& random) {
  static_assert(kStepsASample * kStep == kSampled);
  Draws draws(random);
  const Index samples = 200 + 100 * (set % 3);
  const std::vector<Edge> edges = drawn_edges(draws);
  const Matrix<double> z = activity(edges, kBeforeSteps + samples * kStepsASample, draws);
  Matrix<double> values(samples, kNodes);
  for (Index k = 0; k < kNodes; ++k) values.col(k) = observed(z.col(k), samples, draws);
  KnownTable known = unlinked(std::move(values));
  for (const Edge& edge : edges) known.links.push_back({edge.cause, edge.effect, 0});
  return known;
}

}  // namespace fovea::support::kinds
