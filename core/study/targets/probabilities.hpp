#pragma once
/// What targets of two and of several classes have in common. Internal to targets/.

#include <span>
#include <vector>

#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/trees/tree_lesson.hpp"

namespace fovea::study {

/// Rows whose target is known, of all members one below the other.
struct KnownLogits {
  Matrix<double> logits;
  std::vector<Index> classes;
};
KnownLogits known_logits(std::span<const Matrix<double>> outputs, std::span<const double> targets);

/// Each member's probabilities at a temperature (Guo et al. 2017).
std::vector<Matrix<double>> probabilities_at(std::span<const Matrix<double>> outputs, double temperature);
/// Their mean and spread.
Predictions mixture_of(std::span<const Matrix<double>> probabilities);

/// The temperature of maximum likelihood over the known rows of all members.
Calibration calibrated_by_temperature(std::span<const Matrix<double>> outputs, std::span<const double> targets);

/// The least share of a class that a forest answers: half of what one of 200 trees says.
inline constexpr double kLeastShare = 0.0025;
/// A forest for each class from `first` on, of whether a row is of it.
std::vector<BoostedTrees> forests_of_classes(const TreeLesson& lesson, Index first, Index count);
/// stacked_logits() of targets that are codes.
std::vector<double> stacked_codes(std::span<const Matrix<double>> parts, std::span<const double> targets);

/// The share of each class from `first` on among known targets, the same in `rows` rows.
Predictions class_shares(std::span<const double> known, Index first, Index columns, Index rows);

}  // namespace fovea::study
