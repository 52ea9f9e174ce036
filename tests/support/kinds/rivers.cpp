// Rain that seldom falls drives gauges after 1 to 4 hours, gauges drive those downstream.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

constexpr Index kHours = 2000, kBefore = 200, kLongestLag = 4;

struct Reach {
  KnownLink link;
  double share;  ///< of the cause that arrives
};

/// 2 or 3 rains, 5 to 7 gauges, 1 or 2 series that belong to nothing: 8 to 12 columns in this order.
struct Basin {
  Index rains, gauges, others;
  std::vector<Reach> reaches;

  Basin(Index set, Draws& draws) : rains(2 + set % 2), gauges(5 + set % 3), others(1 + set / 2 % 2) {
    const Index headwaters = std::max(rains, gauges / 2);
    const auto lag = [&] { return 1 + draws.below(kLongestLag); };
    for (Index g = 0; g < gauges; ++g) {
      if (g < headwaters) {
        reaches.push_back({{g % rains, rains + g, lag()}, draws.between(0.4, 0.8)});
        continue;
      }
      const Index upstream = draws.below(g);
      reaches.push_back({{rains + upstream, rains + g, lag()}, draws.between(0.3, 0.5)});
      const Index tributary = draws.below(g);
      if (draws.happens(0.4) && tributary != upstream)
        reaches.push_back({{rains + tributary, rains + g, lag()}, draws.between(0.3, 0.5)});
    }
  }
  Index columns() const { return rains + gauges + others; }
  std::string name(Index column) const {
    if (column < rains) return concat("rain", column + 1);
    if (column < rains + gauges) return concat("gauge", column - rains + 1);
    return concat("other", column - rains - gauges + 1);
  }
};

double rainfall(Draws& draws) {
  const bool wet = draws.happens(0.1);
  const double amount = draws.exponential();
  return wet ? 4 * amount * std::sqrt(amount) : 0;
}

Matrix<double> flow(const Basin& basin, Draws& draws) {
  constexpr double kNoise = 0.3;
  Matrix<double> x = Matrix<double>::Zero(kBefore + kHours, basin.columns());
  for (Index r = 0; r < basin.rains; ++r)
    for (double& value : x.col(r)) value = rainfall(draws);
  Vector<double> memory = amplitudes(draws, basin.gauges, 0.4, 0.7, false);
  for (Index t = kLongestLag; t < x.rows(); ++t) {
    for (Index g = 0; g < basin.gauges; ++g)
      x(t, basin.rains + g) = memory[g] * x(t - 1, basin.rains + g) + kNoise * draws.normal();
    for (const auto& [link, share] : basin.reaches) x(t, link.effect) += share * x(t - link.lag, link.cause);
  }
  for (Index k = 0; k < basin.others; ++k) x.col(basin.rains + basin.gauges + k) = normal_series(draws, x.rows(), 0.7);
  return x.bottomRows(kHours);
}

}  // namespace

KnownTable rivers(Index set, const Random& random) {
  Draws draws(random);
  const Basin basin(set, draws);
  KnownTable known;
  known.table.values = flow(basin, draws);
  for (Index column = 0; column < basin.columns(); ++column) known.table.names.push_back(basin.name(column));
  for (const Reach& reach : basin.reaches) known.links.push_back(reach.link);
  known.calendar = set % 2 == 0 ? Calendar::hours : Calendar::none;
  return known;
}

}  // namespace fovea::support::kinds
