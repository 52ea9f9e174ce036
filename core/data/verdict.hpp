#pragma once
/// The verdict on a statement, from the checks that the results hold.

#include <string>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// The findings of give_verdict().
std::vector<FindingKind> statement_finding_kinds();

/// "<statement>: holds within <within>." or "<statement>: does not hold: <the first failed check, with its numbers>."
void give_verdict(Results& merged, const std::string& statement, const std::string& within);

}  // namespace fovea
