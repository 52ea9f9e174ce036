#pragma once
/// Calibration in bins of equal size, and what chance alone would show.
///
/// Bins of equal width (calibration.hpp) leave most of them nearly empty where most probabilities are small. Any
/// measure of miscalibration is above 0 for probabilities that are exactly right: print its floor beside it.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/statistics/calibration.hpp"

namespace fovea {

/// Bins of as many examples as can be, in the order of the probabilities: bin b of B has those from floor(b N / B) to
/// floor((b + 1) N / B). Examples of one probability share their outcomes, so the order they come in does not matter.
/// low, high: the smallest and the largest probability in the bin.
/// probabilities (N) in [0, 1]; outcomes (N) 0 or 1; 1 <= bins <= N. Throws ArgumentError.
std::vector<ReliabilityBin> equal_sized_bins(std::span<const double> probabilities, std::span<const Index> outcomes,
                                             Index bins = 10);

/// sum over bins of count / N |predicted - observed| (Nguyen & O'Connor 2015, adaptive bins).
double equal_sized_calibration_error(std::span<const double> probabilities, std::span<const Index> outcomes,
                                     Index bins = 10);

/// What a measure is where the probabilities are exactly right.
struct NoiseFloor {
  double mean = 0;
  double low = 0, high = 0;  ///< 5 % and 95 % of the draws
};

/// measure(probabilities, outcomes)
using CalibrationMeasure = std::function<double(std::span<const double>, std::span<const Index>)>;

/// Draws outcomes from the probabilities, `draws` >= 1 times, and measures each. Draws that measure NaN are left out;
/// all are NaN where none is left. A function of its arguments alone. Throws ArgumentError.
NoiseFloor calibration_floor(std::span<const double> probabilities, const CalibrationMeasure& measure,
                             const Random& random, Index draws = 400);

}  // namespace fovea
