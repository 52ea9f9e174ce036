#pragma once
/// What `run`, `sweep` and `resume` say at the end.

#include <string>

#include "fovea/core/lab/runner.hpp"

namespace fovea::command {

/// Verdict, headline numbers with their errors, checks, notes, and where the result and the report are.
std::string summary_text(const RunSummary& summary);
/// The same as one JSON object.
std::string summary_json(const RunSummary& summary);

}  // namespace fovea::command
