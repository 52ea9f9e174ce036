// A table as wide as a search is timed on.

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/simulated/kinds/draws.hpp"
#include "fovea/datasets/simulated/kinds/makers.hpp"
#include "fovea/datasets/simulated/lagged_system.hpp"

namespace fovea::datasets::simulated::kinds {

KnownTable hundred_series(Index, const Random& random) {
  SystemKind kind;
  kind.series = 100;
  kind.links = 150;
  const SimulatedSystem drawn = draw_and_simulate(kind, 500, random);
  KnownTable known = unlinked(drawn.values);
  for (const SystemLink& link : drawn.system.links) known.links.push_back({link.cause, link.effect, link.lag});
  return known;
}

}  // namespace fovea::datasets::simulated::kinds
