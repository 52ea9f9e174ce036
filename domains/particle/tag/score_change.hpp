#pragma once
/// How much scores of the same jets differ.

#include <vector>

namespace fovea::particle::tag {

/// |after - before| in standard deviations of the scores before: mean, median (the upper of two) and largest over jets.
struct ScoreChange {
  double mean = 0, median = 0, largest = 0;
};

/// before, after: a score for each jet, as many of both, at least one. Scores that are all alike have no deviation: the
/// numbers are then NaN or infinite.
ScoreChange score_change(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace fovea::particle::tag
