#include "fovea/core/study/targets/probabilities.hpp"

#include <algorithm>

#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/trees/stacking.hpp"

namespace fovea::study {

KnownLogits known_logits(std::span<const Matrix<double>> outputs, std::span<const double> targets) {
  const std::vector<Index> rows = known_rows_of(targets);
  KnownLogits known;
  known.logits.resize(static_cast<Index>(rows.size() * outputs.size()), outputs[0].cols());
  Index at = 0;
  for (const Matrix<double>& output : outputs)
    for (const Index row : rows) {
      known.logits.row(at++) = output.row(row);
      known.classes.push_back(static_cast<Index>(targets[row]));
    }
  return known;
}

std::vector<Matrix<double>> probabilities_at(std::span<const Matrix<double>> outputs, double temperature) {
  std::vector<Matrix<double>> probabilities;
  for (const Matrix<double>& output : outputs) {
    if (output.rows() > 0)
      probabilities.push_back(class_probabilities(output, temperature));
    else
      probabilities.push_back(output);
  }
  return probabilities;
}

Predictions mixture_of(std::span<const Matrix<double>> probabilities) {
  const learning::EnsemblePrediction together = learning::combine(probabilities);
  return {together.mean, together.spread, {}, {}};
}

Calibration calibrated_by_temperature(std::span<const Matrix<double>> outputs, std::span<const double> targets) {
  const KnownLogits known = known_logits(outputs, targets);
  if (known.classes.empty()) return {};
  return {fit_temperature(known.logits, known.classes).temperature, false, 0, 1};
}

std::vector<BoostedTrees> forests_of_classes(const TreeLesson& lesson, Index first, Index count) {
  std::vector<BoostedTrees> forests;
  std::vector<float> is(lesson.outcomes.size());
  for (Index c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < is.size(); ++i) is[i] = lesson.outcomes[i] == static_cast<float>(first + c) ? 1 : 0;
    forests.push_back(
        bagged_trees(lesson.rows, is, lesson.weights, lesson.bagging, lesson.seed + static_cast<std::uint64_t>(c)));
  }
  return forests;
}

std::vector<double> stacked_codes(std::span<const Matrix<double>> parts, std::span<const double> targets) {
  const std::vector<Index> classes(targets.begin(), targets.end());
  return stacked_logits(parts, classes);
}

Predictions class_shares(std::span<const double> known, Index first, Index columns, Index rows) {
  Matrix<double> shares(rows, columns);
  for (Index c = 0; c < columns; ++c)
    shares.col(c).setConstant(
        static_cast<double>(std::count(known.begin(), known.end(), static_cast<double>(first + c))) /
        static_cast<double>(known.size()));
  return without_spread(std::move(shares));
}

}  // namespace fovea::study
