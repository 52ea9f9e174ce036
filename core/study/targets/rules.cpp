#include "fovea/core/study/targets/rules.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::study {

const TargetRule& Target::rule() const {
  switch (kind) {
    case TargetKind::binary:
      return binary_rule();
    case TargetKind::classes:
      return classes_rule();
    case TargetKind::hazards:
      return hazards_rule();
    case TargetKind::number:
      return number_rule();
  }
  throw ArgumentError("Target::rule: no such kind of target.");
}

AnswerLine TargetRule::answer_line(const Calibration& calibration, const TargetScale&) const {
  if (calibration.line) return {calibration.intercept, calibration.slope};
  return {0, 1 / calibration.scale};
}

void TargetRule::write_first(const StudyOutcome&, const Examination&, Results&) const {}

void TargetRule::write_curves(const StudyOutcome&, const Examination&, Results&) const {}

}  // namespace fovea::study
