#pragma once
/// Which links are significant: pairs of series first, then lags within the pairs that are (theory.md, step 4).

#include <vector>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

/// A link, and what its p-value is multiplied by.
struct WeighedLink {
  methods::Link* link;
  double factor;
};

/// q-values and significance at `level` of one family. A group is the lags of an ordered pair, or a pair within the
/// step, which counts once whichever of the two is the cause (log10_grouped_discovery).
void discover_pairs_first(const std::vector<WeighedLink>& family, double level);

}  // namespace fovea::lag::attention
