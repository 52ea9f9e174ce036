#pragma once
/// The ridge part of a nowcast: columns scaled and clipped by their past, and one logistic regression.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::nowcast {

struct RidgeSettings {
  double penalty = 10;  ///< penalty / 2 sum of squares beside the sum of log losses (le Cessie & van Houwelingen 1992)
  double clip = 3;      ///< in deviations; 0: not clipped
};

/// logit = intercept + sum_k weight_k clip((x_k - middle_k) / deviation_k); a column that is NaN adds nothing.
struct RidgePart {
  Vector<double> middle, deviation, weight;  ///< K; deviation: 0 of a column that does not vary, which adds nothing
  double intercept = 0;
};

/// middle: median; deviation: standard deviation; of the rows with a known outcome. rows: N x K, NaN: not known.
/// outcomes: 0, 1, or NaN: not known; weights: N or none. Without both outcomes: the share of ones alone.
RidgePart fit_ridge_part(const Matrix<double>& rows, std::span<const double> outcomes, std::span<const double> weights,
                         const RidgeSettings& settings);

}  // namespace fovea::nowcast
