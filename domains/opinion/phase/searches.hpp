#pragma once
/// The two searches of find_transitions, and what they share. For phase_*.cpp only.

#include "fovea/domains/opinion/phase/crowd.hpp"

namespace fovea::opinion::phase {

inline constexpr Index kDensityBins = 96;  ///< of the opinions

/// `count` values from low to high.
std::vector<double> evenly_spaced(double low, double high, Index count, bool logarithmic);
/// The first grid: settings.points values, ascending.
std::vector<double> phase_grid(const PhaseSettings& settings);

struct DensityRange {
  double low = 0, high = 1;
};
/// Of the starting opinions of the largest crowd, with some room; the whole turn on the circle.
DensityRange density_range(const PhaseSettings& settings, const CrowdMaker& make);
/// The centres of its bins.
std::vector<double> density_bins(const DensityRange& range);

PhaseFindings search_still(const PhaseSettings& settings, const CrowdMaker& make, Workbench& bench);
PhaseFindings search_noisy(const PhaseSettings& settings, const CrowdMaker& make, const Random& random,
                           Workbench& bench);

}  // namespace fovea::opinion::phase
