#pragma once
/// Whether a histogram has one peak or two.

#include <span>
#include <vector>

#include "fovea/core/base/random.hpp"

namespace fovea {

/// Two peaks, and how easily one peak looks like them.
///   depth = sum of (unimodal - p)^+ over the bins: the mass by which the histogram differs from the nearest single
///   peak
/// The nearest single peak is the best over all modes of the histograms that rise to the mode and fall after it, by
/// least squares (isotonic regression, Barlow et al. 1972). chance: the share of histograms drawn from it, with as many
/// independent draws, that are at least as deep: a bootstrap test as that of Silverman (1981), with the histogram in
/// place of a kernel estimate.
struct Modality {
  double depth = 0;
  double chance = 1;             ///< p value of a second peak
  std::vector<double> unimodal;  ///< the nearest single peak, bin by bin, sum 1
};
/// counts: of each bin, >= 0, sum > 0, at least 3 bins. independent: how many independent draws they are worth, > 0.
/// Throws ArgumentError.
Modality histogram_modality(std::span<const double> counts, double independent, const Random& random, int draws = 400);

}  // namespace fovea
