#pragma once
/// What `run`, `sweep` and `resume` say at the end.

#include <string>
#include <vector>

#include "fovea/core/lab/runner.hpp"

namespace fovea::command {

/// Verdict, headline numbers with their errors, checks, notes, and where the result and the report are. Of a preview
/// the checks are counted but not judged.
std::string summary_text(const RunSummary& summary);
/// The same as one JSON object.
std::string summary_json(const RunSummary& summary);

/// The checks that do not hold, those of the machine's times among them; none of a preview.
std::vector<Check> failed_checks(const RunSummary& summary);
/// One check in a line, with its numbers.
std::string check_text(const Check& check);

}  // namespace fovea::command
