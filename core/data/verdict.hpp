#pragma once
/// The verdict on a statement, from the checks that the results hold.

#include <string>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// The findings of give_verdict().
std::vector<FindingKind> statement_finding_kinds();

/// Of a run that is smaller than was asked for (Config::preview): nothing is concluded from it. Whoever shows results
/// asks for it, and marks no check as right or wrong.
struct Preview {
  bool preview;
  FOVEA_FINDING(verdict, "preview", "the run was made smaller than its config asks for, by --quick", preview)
  bool holds() const { return preview; }
  std::string sentence() const {
    return "A preview (--quick), smaller than its config asks for: no verdict is drawn from it, and no check is "
           "judged.";
  }
  static Preview example() { return {true}; }
  static Preview counterexample() { return {false}; }
};

/// In place of all verdicts, where it is one; the titles of its figures say so, too.
void mark_preview(Results& results, bool preview);

/// "<statement>: holds within <within>." or "<statement>: does not hold: <the first failed check, with its numbers>."
void give_verdict(Results& merged, const std::string& statement, const std::string& within);

}  // namespace fovea
