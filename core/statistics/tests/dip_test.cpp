#include "fovea/core/statistics/tests/dip_test.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// The steps of a distribution function: at x[k] it rises from below[k] to above[k].
struct Steps {
  std::vector<double> x, below, above;
};

Steps steps_of(std::span<const double> values) {
  Steps steps;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(i == 0 || values[i - 1] <= values[i], "dip: value ", i, " does not ascend; sort the values first.");
    if (i > 0 && values[i] == values[i - 1]) {
      steps.above.back() = static_cast<double>(i + 1) / n;
      continue;
    }
    steps.x.push_back(values[i]);
    steps.below.push_back(static_cast<double>(i) / n);
    steps.above.push_back(static_cast<double>(i + 1) / n);
  }
  return steps;
}

Steps steps_of(std::span<const double> values, std::span<const double> masses) {
  require(values.size() == masses.size(), "dip: there are ", values.size(), " values but ", masses.size(),
          " masses; each value needs one.");
  Steps steps;
  double total = 0, sum = 0;
  for (const double mass : masses) {
    require(mass > 0 && std::isfinite(mass), "dip: a mass is ", mass, ", but must be > 0 and finite.");
    total += mass;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(i == 0 || values[i - 1] <= values[i], "dip: value ", i, " does not ascend; sort the values first.");
    const double before = sum / total;
    sum += masses[i];
    const double now = i + 1 == values.size() ? 1 : sum / total;
    if (i > 0 && values[i] == values[i - 1]) {
      steps.above.back() = now;
      continue;
    }
    steps.x.push_back(values[i]);
    steps.below.push_back(before);
    steps.above.push_back(now);
  }
  return steps;
}

/// Corners of the greatest convex minorant (sign 1) or least concave majorant (sign -1) of (x, height) on [low, high].
std::vector<std::size_t> hull(const std::vector<double>& x, const std::vector<double>& height, std::size_t low,
                              std::size_t high, double sign) {
  std::vector<std::size_t> corners;
  for (std::size_t k = low; k <= high; ++k) {
    while (corners.size() >= 2) {
      const std::size_t a = corners[corners.size() - 2], b = corners.back();
      if (sign * (height[b] - height[a]) * (x[k] - x[a]) < sign * (height[k] - height[a]) * (x[b] - x[a])) break;
      corners.pop_back();
    }
    corners.push_back(k);
  }
  return corners;
}

/// Height at x of the chord of a hull that begins at its corner c.
double chord(const Steps& steps, const std::vector<double>& height, const std::vector<std::size_t>& corners,
             std::size_t c, double x) {
  const std::size_t a = corners[c], b = corners[std::min(c + 1, corners.size() - 1)];
  if (a == b) return height[a];
  return height[a] + (height[b] - height[a]) * ((x - steps.x[a]) / (steps.x[b] - steps.x[a]));
}

/// Where the two hulls are furthest apart; first and last: the modal interval this leaves.
struct Widest {
  double distance = -1;
  std::size_t first = 0, last = 0;
};

Widest widest(const Steps& steps, const std::vector<std::size_t>& convex, const std::vector<std::size_t>& concave) {
  Widest best;
  for (std::size_t g = 0, c = 0; g < convex.size(); ++g) {
    while (c + 1 < concave.size() && concave[c + 1] <= convex[g]) ++c;
    const double distance = chord(steps, steps.above, concave, c, steps.x[convex[g]]) - steps.below[convex[g]];
    const std::size_t last = concave[c] == convex[g] ? concave[c] : concave[c + 1];
    if (distance > best.distance) best = {distance, convex[g], last};
  }
  for (std::size_t c = 0, g = 0; c < concave.size(); ++c) {
    while (g + 1 < convex.size() && convex[g + 1] <= concave[c]) ++g;
    const double distance = steps.above[concave[c]] - chord(steps, steps.below, convex, g, steps.x[concave[c]]);
    if (distance > best.distance) best = {distance, convex[g], concave[c]};
  }
  return best;
}

/// How far the steps rise above the convex hull left of `first`, or fall below the concave one right of `last`.
double outside(const Steps& steps, const std::vector<std::size_t>& convex, const std::vector<std::size_t>& concave,
               const Widest& modal) {
  double distance = 0;
  for (std::size_t g = 0; g + 1 < convex.size() && convex[g] < modal.first; ++g)
    for (std::size_t k = convex[g]; k < convex[g + 1]; ++k)
      distance = std::max(distance, steps.above[k] - chord(steps, steps.below, convex, g, steps.x[k]));
  for (std::size_t c = concave.size() - 1; c > 0 && concave[c] > modal.last; --c)
    for (std::size_t k = concave[c]; k > concave[c - 1]; --k)
      distance = std::max(distance, chord(steps, steps.above, concave, c - 1, steps.x[k]) - steps.below[k]);
  return distance;
}

double dip_of(const Steps& steps) {
  std::size_t low = 0, high = steps.x.size() - 1;
  double twice = 0;  // twice the dip so far: the hulls may each be moved by half of it
  for (;;) {
    const std::vector<std::size_t> convex = hull(steps.x, steps.below, low, high, 1);
    const std::vector<std::size_t> concave = hull(steps.x, steps.above, low, high, -1);
    const Widest modal = widest(steps, convex, concave);
    if (modal.distance <= twice) break;
    twice = std::max(twice, outside(steps, convex, concave, modal));
    if (modal.first == low && modal.last == high) break;
    low = modal.first;
    high = modal.last;
  }
  return twice / 2;
}

std::vector<double> uniform_sample(std::size_t n, const Random& random, std::uint64_t round) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = random.uniform(i, round);
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double dip(std::span<const double> ascending_values) {
  require(!ascending_values.empty(), "dip: there are no values; at least one is needed.");
  return dip_of(steps_of(ascending_values));
}

double dip(std::span<const double> ascending_values, std::span<const double> masses) {
  require(!ascending_values.empty(), "dip: there are no values; at least one is needed.");
  return dip_of(steps_of(ascending_values, masses));
}

double dip_p_value(double dip_found, std::size_t n, const Random& random, int rounds) {
  require(n >= 2 && rounds >= 1, "dip_p_value: n = ", n, " and rounds = ", rounds,
          ", but there must be at least 2 values and 1 round.");
  const std::size_t simulated = std::min(n, kDipSample);
  const double bound = dip_found * std::sqrt(static_cast<double>(n) / static_cast<double>(simulated));
  int as_large = 0;
  for (int round = 0; round < rounds; ++round)
    as_large += dip(uniform_sample(simulated, random, static_cast<std::uint64_t>(round))) >= bound ? 1 : 0;
  return static_cast<double>(1 + as_large) / static_cast<double>(1 + rounds);
}

}  // namespace fovea
