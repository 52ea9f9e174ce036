// A table as wide as a search is timed on.

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/simulated/lagged_system.hpp"
#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

KnownTable hundred_series(Index, const Random& random) {
  datasets::simulated::SystemKind kind;
  kind.series = 100;
  kind.links = 150;
  const datasets::simulated::SimulatedSystem drawn = datasets::simulated::draw_and_simulate(kind, 500, random);
  KnownTable known = unlinked(drawn.values);
  for (const datasets::simulated::SystemLink& link : drawn.system.links)
    known.links.push_back({link.cause, link.effect, link.lag});
  return known;
}

}  // namespace fovea::support::kinds
