#pragma once
/// Observed over expected: how many outcomes there were for each that the risks add up to.

#include <cmath>
#include <limits>

#include "fovea/core/study/scores/scores.hpp"

namespace fovea::study {

/// O / E with its 95 % interval O / E exp(-+ 1.96 / sqrt(O)) (Breslow & Day 1987, section 2.3, with Poisson O); from 0
/// to 3.7 / E where nothing happened.
inline ScoreValue observed_over_expected_interval(double observed, double expected) {
  constexpr double kNormal = 1.96, kPoissonUpper = 3.689;
  if (observed <= 0) return {0, 0, kPoissonUpper / expected};
  const double ratio = observed / expected, factor = std::exp(kNormal / std::sqrt(observed));
  return {ratio, ratio / factor, ratio * factor};
}

}  // namespace fovea::study
