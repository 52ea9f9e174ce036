#pragma once
/// The scores that there are: one line each in score_table.cpp. Internal to core/study.

#include <span>
#include <vector>

#include "fovea/core/study/folds/decision_scores.hpp"
#include "fovea/core/study/scores.hpp"

namespace fovea::study {

/// What a score is computed from, checked.
struct Examples {
  const Target& target;
  const Matrix<double>& mean;
  std::span<const double> deviation;
  std::span<const double> targets;
  std::vector<Index> classes;  ///< the targets of binary and classes
  const std::vector<Index>& decisions;

  Index rows() const { return mean.rows(); }
};

/// A score of some rows. prepare: of the examples when each counts as often as its weight; what does not depend on the
/// weights has been computed, so that a draw of the bootstrap costs little.
struct ScoreEntry {
  Score score;
  std::function<WeightedScore(const Examples& examples)> prepare;
};

/// Of these targets, in the order of scores_of().
std::vector<ScoreEntry> score_entries(const Target& target, bool decided);

}  // namespace fovea::study
