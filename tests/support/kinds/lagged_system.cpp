#include "fovea/tests/support/kinds/lagged_system.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::support::kinds {

namespace {

constexpr Index kThrownAway = 200;
constexpr double kLargestValue = 1e6;
constexpr int kTries = 100;

double answer(Response response, double x) {
  switch (response) {
    case Response::linear:
      return x;
    case Response::saturating: {
      const double e = exponential(-2 * std::abs(x));
      return std::copysign((1 - e) / (1 + e), x);
    }
    case Response::bump:
      return x * x * exponential(-0.25 * x * x);
    case Response::absolute:
      break;
  }
  return std::abs(x) - 0.8;
}

double innovation_of(Innovation kind, const Random& random, Index entity, Index step) {
  const auto at = [&](Index part) {
    return random.normal(static_cast<std::uint64_t>(4 * entity + part), static_cast<std::uint64_t>(step));
  };
  if (kind == Innovation::normal) return at(0);
  const double square = at(1) * at(1) + at(2) * at(2) + at(3) * at(3);
  return at(0) / std::sqrt(square);  // t with 3 degrees is sqrt(3) times this, and has variance 3
}

bool runs(const LaggedSystem& system, Index steps, const Random& random, Matrix<double>& values) {
  const Index series = system.series(), factors = system.loadings.rows(), all = steps + kThrownAway;
  std::vector<std::vector<const SystemLink*>> causes(series);
  for (const SystemLink& link : system.links) causes[link.effect].push_back(&link);
  Matrix<double> x = Matrix<double>::Zero(all, series);
  Vector<double> hidden = Vector<double>::Zero(factors);
  for (Index t = 0; t < all; ++t) {
    for (Index f = 0; f < factors; ++f)
      hidden[f] = system.factor_memory * hidden[f] + innovation_of(system.innovation, random, series + f, t);
    for (Index j = 0; j < series; ++j) {
      double value = innovation_of(system.innovation, random, j, t);
      if (t > 0) value += system.memory[j] * x(t - 1, j);
      for (Index f = 0; f < factors; ++f) value += system.loadings(f, j) * hidden[f];
      for (const SystemLink* link : causes[j])
        if (t >= link->lag) value += link->coefficient * answer(link->response, x(t - link->lag, link->cause));
      if (!(std::abs(value) <= kLargestValue)) return false;
      x(t, j) = value;
    }
  }
  values = x.bottomRows(steps);
  return true;
}

}  // namespace

LaggedSystem draw_system(const SystemKind& kind, const Random& random) {
  require(kind.links <= kind.series * (kind.series - 1), "draw_system: ", kind.links, " links between ", kind.series,
          " series; there are only ", kind.series * (kind.series - 1), " ordered pairs.");
  const Random draws = random.stream("system");
  std::uint64_t entity = 0;
  const auto between = [&](double low, double high) { return low + (high - low) * draws.uniform(entity++); };
  const auto below = [&](Index count) {
    return static_cast<Index>(draws.below(static_cast<std::uint64_t>(count), entity++));
  };
  LaggedSystem system;
  system.innovation = kind.innovation;
  system.factor_memory = kind.factor_memory;
  for (Index j = 0; j < kind.series; ++j) system.memory.push_back(between(kind.least_memory, kind.most_memory));
  std::set<std::pair<Index, Index>> taken;
  while (static_cast<Index>(system.links.size()) < kind.links) {
    const Index cause = below(kind.series), effect = below(kind.series);
    if (cause == effect || !taken.emplace(cause, effect).second) continue;
    const Index lag = 1 + below(kind.longest_lag);
    const double size = between(kind.weakest, kind.strongest), coefficient = below(2) == 0 ? size : -size;
    const std::size_t response = below(static_cast<Index>(kind.responses.size()));
    system.links.push_back({cause, effect, lag, coefficient, kind.responses[response]});
  }
  system.loadings.resize(kind.factors, kind.series);
  for (double& loading : system.loadings.reshaped()) loading = 0.7 + 0.4 * draws.normal(entity++);
  return system;
}

Matrix<double> simulate(const LaggedSystem& system, Index steps, const Random& random) {
  Matrix<double> values;
  require(runs(system, steps, random.stream("innovations"), values), "simulate: a value of the lagged system left +-",
          kLargestValue, "; weaken its links or its memory.");
  return values;
}

SimulatedSystem draw_and_simulate(const SystemKind& kind, Index steps, const Random& random) {
  SimulatedSystem drawn;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const Random again = random.stream(concat("try ", attempt));
    drawn.system = draw_system(kind, again);
    if (runs(drawn.system, steps, again.stream("innovations"), drawn.values)) return drawn;
  }
  require(false, "draw_and_simulate: none of ", kTries, " systems has a steady state; weaken the links or the memory.");
  return drawn;
}

}  // namespace fovea::support::kinds
