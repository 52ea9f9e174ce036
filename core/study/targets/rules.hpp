#pragma once
/// The kinds of target that there are, each in the file of its name.

#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

const TargetRule& binary_rule();
const TargetRule& classes_rule();
const TargetRule& hazards_rule();
const TargetRule& number_rule();

}  // namespace fovea::study
