#pragma once
/// What was read, for a run: on its page, its console and in its result.

#include "fovea/core/data/results.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/cases/split.hpp"

namespace fovea::study {

/// The sentences for the first screen, the record as the document "reading", the findings; warnings go to the user at
/// once, before anything is learned. splits: one, or one a fold; records SameCases, FewSameCases or TestIsSeparate.
void report_reading(const Cases& cases, const std::vector<Split>& splits, Results& results, Workbench& bench);
/// The same of what is no Cases.
void report_reading(const Reading& reading, const RepeatedCases& repeated, Results& results, Workbench& bench);

/// What the user's file calls a case: its id, and where the reader says so the file and the row.
std::string place_of(const Cases& cases, Index item);

}  // namespace fovea::study
