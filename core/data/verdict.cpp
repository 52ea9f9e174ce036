#include "fovea/core/data/verdict.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {

namespace {

struct StatementHolds {
  std::string statement, within;
  std::size_t checks, failed;
  FOVEA_FINDING(verdict, "statement_holds", "the statement has checks, and all hold", statement, within, checks, failed)
  bool holds() const { return checks > 0 && failed == 0; }
  std::string sentence() const { return concat(statement, ": holds within ", within, "."); }
  static StatementHolds example() { return {"Softmax rows sum to 1", "1e-12", 3, 0}; }
  static StatementHolds counterexample() { return {"Softmax rows sum to 1", "1e-12", 3, 1}; }
};

struct StatementFails {
  std::string statement, meaning;
  double measured, predicted, tolerance;
  bool relative;
  FOVEA_FINDING(verdict, "statement_fails", "a check of the statement does not hold; the first of them", statement,
                meaning, measured, predicted, tolerance, relative)
  bool holds() const { return !Check{"", "", "", predicted, measured, {tolerance, relative}}.holds(); }
  std::string sentence() const {
    return concat(statement, ": does not hold: ", meaning, " is ", plain_text(measured, 6), ", predicted ",
                  plain_text(predicted, 6), " within ", plain_text(tolerance), relative ? " of it." : ".");
  }
  static StatementFails example() { return {"Water is wet", "the wetness", 3, 1, 0.5, true}; }
  static StatementFails counterexample() { return {"Water is wet", "the wetness", 1.25, 1, 0.5, true}; }
};

}  // namespace

std::vector<FindingKind> statement_finding_kinds() { return finding_kinds<Preview, StatementFails, StatementHolds>(); }

void mark_preview(Results& results, bool preview) {
  if (preview) results.withdraw_verdicts("Preview: ");
  results.finding(Preview{preview});
}

void give_verdict(Results& merged, const std::string& statement, const std::string& within) {
  const std::vector<Check>& checks = merged.checks();
  const auto fails = [](const Check& check) { return !check.holds(); };
  const auto first = std::find_if(checks.begin(), checks.end(), fails);
  if (first != checks.end())
    merged.finding(StatementFails{statement, first->meaning, first->measured, first->predicted, first->tolerance.size,
                                  first->tolerance.relative});
  const std::size_t failed = std::count_if(first, checks.end(), fails);
  merged.finding(StatementHolds{statement, within, checks.size(), failed});
}

}  // namespace fovea
