#pragma once
/// Trees for hazards: a row for each interval that a case entered, which says what came there (Allison 1982; Tutz &
/// Schmid 2016, ch. 3 and 8). Internal to targets/.
///
///   outcome of a case in interval t: class k where end k + 1 came there, K where none did
///   columns: those of the case, and t where there are several intervals
///
/// The trees of class k answer the logit of x_tk (learning/hazard_loss.hpp), a forest its share. Boosting goes on from
/// the hazards of each interval among all cases, which are the first of its trees: few rounds would not learn them.
/// A leaf of boosting has twice the weight, since the softmax of two classes counts p (1 - p) twice; one of a forest as
/// many times as there are intervals, since a case may give a row to each.

#include <span>
#include <vector>

#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/trees/tree_lesson.hpp"

namespace fovea::study {

/// lesson.outcomes: codes without their places. Throws DataError where no case entered an interval.
std::vector<BoostedTrees> hazard_trees(const Target& target, const TreeLesson& lesson);
/// Logits of the shares that a forest answers.
Matrix<double> hazard_logits(const Matrix<double>& shares);
/// stacked_logits() over cases and the intervals that they entered. Intervals have intercepts of their own: a part that
/// tells only when ends come, and not to whom, adds nothing. No calibration scales hazards, so that a part without use
/// would dilute the others: of all choices of parts that has weights whose mixture, as it is used, is the likeliest,
/// less what a part gains by chance.
std::vector<double> stacked_hazards(const Target& target, std::span<const Matrix<double>> parts,
                                    std::span<const double> codes);

}  // namespace fovea::study
