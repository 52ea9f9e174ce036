// Six series of which later ones are driven by earlier ones: by lines, bends and products, with noise of many kinds.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

constexpr Index kDriven = 6, kSources = 3, kLongestDrive = 3;

struct Drive {
  Index cause, lag;
  double coefficient;
};

/// What is not linear, normal and steady in a table.
struct DrivenBy {
  bool bend = false, product = false;  ///< how effects answer
  bool heavy = false, uneven = false;  ///< of the shocks
  bool season = false, sparse = false,
       flow = false;  ///< of the series: a course, rain as sources, errors in proportion
  double size = 1;    ///< of the shocks
  double noise = 0;   ///< variance of the error of measurement, over that of the series
};

/// One or two causes of series j among those before it.
std::vector<Drive> drives_of(Draws& draws, Index j, const DrivenBy& by) {
  std::vector<Drive> drives;
  if (j == 0 || ((by.sparse || by.flow) && j < kSources)) return drives;
  const bool wants_two = by.product && j % 2 == 0;
  for (int k = 0, most = wants_two || draws.happens(0.5) ? 2 : 1; k < most; ++k) {
    const Drive drive{draws.below(j), 1 + draws.below(kLongestDrive),
                      by.flow || by.sparse ? draws.between(0.4, 0.8) : draws.sign() * draws.between(0.3, 0.6)};
    if (drives.empty() || drives[0].cause != drive.cause) drives.push_back(drive);
  }
  return drives;
}

double shock_of(Draws& draws, const DrivenBy& by) {
  if (!by.heavy) return draws.normal();
  const std::array<double, 3> of{draws.normal(), draws.normal(), draws.normal()};
  return draws.normal() / std::sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2]);  // t of 3 degrees, variance 1
}

double pushed_by(const std::vector<Drive>& drives, const Matrix<double>& x, Index t, bool multiply, bool bend) {
  const auto past = [&](const Drive& drive) { return x(t - drive.lag, drive.cause); };
  if (multiply && drives.size() == 2) return 2 * drives[0].coefficient * past(drives[0]) * past(drives[1]);
  double sum = 0;
  for (const Drive& drive : drives)
    sum += bend ? 3 * drive.coefficient * std::max(past(drive), 0.0) : drive.coefficient * past(drive);
  return sum;
}

/// 500, 700 or 900 steps by set.
KnownTable driven(Index set, const Random& random, const DrivenBy& by) {
  Draws draws(random);
  const Index steps = 500 + 200 * (set % 3), all = steps + kStart;
  std::vector<std::vector<Drive>> drives;
  for (Index j = 0; j < kDriven; ++j) drives.push_back(drives_of(draws, j, by));
  const Vector<double> memory = amplitudes(draws, kDriven, 0.4, 0.8, false),
                       course = normal_series(draws, all, by.uneven ? 0.95 : 0.7);
  Matrix<double> x = Matrix<double>::Zero(all, kDriven), logs = normal_columns(draws, {all, kDriven}, 0.6, 0.8);
  for (Index t = kLongestDrive; t < all; ++t)
    for (Index j = 0; j < kDriven; ++j) {
      const double pushed = pushed_by(drives[j], x, t, by.product && j % 2 == 0, by.bend), shock = shock_of(draws, by);
      if (by.flow)
        x(t, j) = j < kSources ? std::exp(0.6 * logs(t, j)) : pushed * (1 + 0.15 * shock);
      else if (by.sparse && j < kSources)
        x(t, j) = draws.happens(0.12) ? draws.exponential() : 0;
      else
        x(t, j) = memory[j] * x(t - 1, j) + pushed + by.size * (by.uneven ? std::exp(0.6 * course[t]) : 1) * shock;
    }
  KnownTable known = unlinked(x.bottomRows(steps));
  const double phase = draws.between(0, 2 * std::numbers::pi);
  for (Index j = 0; j < kDriven; ++j) {
    for (const Drive& drive : drives[j]) known.links.push_back({drive.cause, j, drive.lag});
    auto column = known.table.values.col(j);
    const double size = draws.between(0.5, 1.5),
                 error = std::sqrt(by.noise * (column.array() - column.mean()).square().mean());
    for (Index t = 0; t < steps; ++t) {
      if (by.season) column[t] += size * std::sin(2 * std::numbers::pi * static_cast<double>(t) / 12 + phase);
      column[t] += error * draws.normal();
    }
  }
  return known;
}

}  // namespace

KnownTable driven_linear(Index set, const Random& random) { return driven(set, random, {}); }
KnownTable driven_bent(Index set, const Random& random) { return driven(set, random, {.bend = true, .size = 0.5}); }
KnownTable driven_product(Index set, const Random& random) {
  return driven(set, random, {.product = true, .size = 0.5});
}
KnownTable driven_heavy(Index set, const Random& random) { return driven(set, random, {.heavy = true}); }
KnownTable driven_uneven(Index set, const Random& random) { return driven(set, random, {.uneven = true}); }
KnownTable driven_season(Index set, const Random& random) { return driven(set, random, {.season = true}); }
KnownTable driven_sparse(Index set, const Random& random) { return driven(set, random, {.sparse = true, .size = 0.4}); }
KnownTable driven_flow(Index set, const Random& random) { return driven(set, random, {.flow = true}); }
KnownTable driven_noisy(Index set, const Random& random) { return driven(set, random, {.noise = 1.5}); }

}  // namespace fovea::support::kinds
