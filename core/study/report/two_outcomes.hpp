#pragma once
/// What is asked of risks that one of two things happens: are they worth acting on, and are they as right for all?

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// One entry a tested case with a known target.
struct TwoOutcomes {
  std::vector<double> risks, ridge;  ///< that `event` happens: ours, and the ridge model's
  std::vector<Index> outcomes;       ///< 1: it happened
  std::vector<Index> items, groups;  ///< number of the case, and of its group
  std::string event;                 ///< "relapse = yes"
};

/// Nothing for targets that are not of two classes, one a case, and where all outcomes are the same.
std::optional<TwoOutcomes> two_outcomes(const StudyOutcome& outcome, const Examination& examined);

/// Over "decision_threshold": net_benefit with its 95 % interval (bootstrap over groups) beside net_benefit_ridge,
/// net_benefit_all and net_benefit_none (core/statistics/decisions.hpp), a figure, and what it amounts to, as a
/// note. What is below minus the share of the event is NaN, as are thresholds that call fewer cases than
/// Cases::smallest_cell, or all but so few.
void write_net_benefit(const StudyOutcome& outcome, const TwoOutcomes& tested, const Random& random, Results& results);

/// Are the risks as right for all? What each case has once tells subgroups apart: a class of tokens, a feature, the
/// group of the cases (where there are few groups, which the word `group` names); up to six values one by one, others
/// by thirds. Of each subgroup its size, its outcomes, AUROC, observed over expected, and intercept and slope of the
/// calibration, with 95 % intervals over groups; of what tells them apart the least false discovery rate at which
/// intercepts differ. Subgroups of fewer than kFewestInSubgroup cases are left out, and nothing is judged on fewer of
/// one outcome.
/// judged: what the comparison amounts to becomes a note.
void write_subgroups(const Cases& cases, const TwoOutcomes& tested, bool judged, const Random& random,
                     Results& results);

inline constexpr Index kFewestInSubgroup = 10;

}  // namespace fovea::study
