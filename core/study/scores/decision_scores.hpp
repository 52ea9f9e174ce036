#pragma once
/// Scores of risks that come with a decision, and the calibration that a line and bins of equal size show: those of a
/// cross-validated binary target, and of new cases of a model with a threshold.
///
/// A score of rows that each count as often as their weight, a whole number >= 0: a draw of the bootstrap. risks in
/// [0, 1], outcomes and decisions 0 or 1, as many of each. NaN where the data cannot tell.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::study {

using WeightedScore = std::function<double(std::span<const double> weights)>;

WeightedScore sized_calibration_error_score(std::vector<double> risks, std::vector<Index> outcomes);
WeightedScore calibration_intercept_score(std::vector<double> risks, std::vector<Index> outcomes);
WeightedScore calibration_slope_score(std::vector<double> risks, std::vector<Index> outcomes);
WeightedScore observed_over_expected_score(std::vector<double> risks, std::vector<Index> outcomes);
WeightedScore event_1_score(std::vector<Index> decisions, std::vector<Index> outcomes);
WeightedScore event_2_score(std::vector<double> risks, std::vector<Index> outcomes);

}  // namespace fovea::study
