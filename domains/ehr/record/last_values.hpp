#pragma once
/// Records without their history: what is left when only the latest is known.

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::ehr::record {

enum class Latest {
  of_each_variable,  ///< the last events of each variable, all where several have one time
  visit,             ///< the events at the latest time of the record
};

/// The same cases with their latest events alone, and their statics. A static is a class that no case has twice, and
/// that stands at the first time of each case that has it (as cases_of() puts it there); it moves to the first of the
/// events that are left, so that it does not tell how long the record is. cases: tokens of a class ascend by time.
study::Cases latest_alone(const study::Cases& cases, Latest latest);

}  // namespace fovea::ehr::record
