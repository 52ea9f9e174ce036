#pragma once
/// What is to be said of the data before anything is learned from them, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

/// Of the values of one variable by the unit that stands beside them.
struct TwoUnits {
  std::string variable, first, second;  ///< units, that of more values first
  Index first_values = 0, second_values = 0;
  double first_median = 0, second_median = 0;
  FOVEA_FINDING(warning, "two_units", "the values of one variable have two units", variable, first, second,
                first_values, second_values, first_median, second_median)
  bool holds() const { return first_values > 0 && second_values > 0 && first != second; }
  std::string sentence() const {
    return concat("Two units in one variable: ", variable, " has ", counted(first_values, "value"), " in ", first,
                  " (median ", plain_text(first_median, 5), ") and ", second_values, " in ", second, " (median ",
                  plain_text(second_median, 5), "); they are read as one, so convert them to one unit.");
  }
  static TwoUnits example() { return {"creatinine", "mg/dL", "umol/L", 640, 320, 1.6, 114.43}; }
  static TwoUnits counterexample() { return {"creatinine", "mg/dL", "", 960, 0, 1.6, std::nan("")}; }
};

/// Of the tokens of a data set, those that are left out for one reason.
struct MostLeftOut {
  std::string what, reason;
  Index left_out = 0, read = 0;
  FOVEA_FINDING(warning, "most_left_out", "more than half of the tokens are left out for one reason", what, reason,
                left_out, read)
  bool holds() const { return left_out > read; }
  std::string sentence() const {
    return concat("Most is left out: ", left_out, " of ", counted(left_out + read, what), " are left out (", reason,
                  ").");
  }
  static MostLeftOut example() { return {"event", "later than hour 48", 3600, 300}; }
  static MostLeftOut counterexample() { return {"event", "later than hour 48", 300, 3600}; }
};

/// By the AUROC of one input averaged over a case, whichever way it points; of real targets by the rank correlation.
inline constexpr double kTellsAlone = 0.995;
/// Of cases on each side: ten are told apart by chance by one input in 92,000.
inline constexpr Index kFewestToTell = 10;

struct TellsOutcomeAlone {
  std::string input, outcome;   ///< "lactate", "number of lactate"
  double score = 0;             ///< AUROC, at least 0.5, or |rank correlation|
  Index cases = 0, fewest = 0;  ///< known; of the rarer outcome
  bool ranks = false;           ///< score is a rank correlation
  FOVEA_FINDING(warning, "tells_outcome_alone", "one input of a case nearly determines its outcome without any other",
                input, outcome, score, cases, fewest, ranks)
  bool holds() const { return score >= kTellsAlone && fewest >= kFewestToTell; }
  std::string sentence() const {
    return concat("'", input, "' alone nearly determines ", outcome, ": ", ranks ? "a rank correlation" : "an AUROC",
                  " of ", fixed_text(score, 3), " in ", cases,
                  " cases; find out whether the outcome, or what follows from it, is in it.");
  }
  static TellsOutcomeAlone example() { return {"number of comfort_measures_only", "died", 1, 200, 62}; }
  static TellsOutcomeAlone counterexample() { return {"lactate", "died", 0.9, 200, 62}; }
};

/// The same content in a tested case and in one that was learned from.
struct RepeatedCases {
  Index repeated = 0, tested = 0;
  std::string first;        ///< a tested one and its like: "b, as a"
  Index untold = 0;         ///< of the tested ones: without content of their own (case_hash.hpp)
  Index other_targets = 0;  ///< of the repeated ones: with another target, so that they are no copies
  /// Below 1 % of the tested cases a score moves by less than its interval; where one in 50 has another target, cases
  /// look alike because they hold little.
  bool copied() const { return repeated > 0 && 100 * repeated >= tested && 50 * other_targets <= repeated; }
  std::string said() const {
    return concat(repeated, " of ", counted(tested, "tested case"), repeated == 1 ? " has" : " have",
                  " the content of a case that was learned from",
                  first.empty() ? "" : concat(" (the first: ", first, ")"));
  }
};
struct SameCases : RepeatedCases {
  FOVEA_FINDING(warning, "same_cases", "at least 1 % of the tested cases are copies of one that was learned from",
                repeated, tested, first, other_targets)
  bool holds() const { return copied(); }
  std::string sentence() const {
    return concat("The same data twice: ", said(), "; the scores may be too good. Leave copies out, or give them one ",
                  "group.");
  }
  static SameCases example() { return {{80, 80, "jet 1, as jet 1"}}; }
  static SameCases counterexample() { return {{0, 80, ""}}; }
};
struct FewSameCases : RepeatedCases {
  FOVEA_FINDING(note, "few_same_cases",
                "some tested cases have the content of one that was learned from, fewer than 1 %, or no copies",
                repeated, tested, first, other_targets)
  bool holds() const { return repeated > 0 && !copied(); }
  std::string sentence() const {
    return concat("Of the same content: ", said(),
                  other_targets == 0 ? "." : concat("; ", other_targets, " of them with another outcome."));
  }
  static FewSameCases example() { return {{3, 4000, "b, as a"}}; }
  static FewSameCases counterexample() { return {SameCases::example()}; }
};

/// What allows to say of a test that it was not learned from; with folds each case is tested by models of the others.
struct TestIsSeparate {
  Index tested = 0, repeated = 0, untold = 0;  ///< as of RepeatedCases
  FOVEA_FINDING(note, "test_is_separate", "no tested case has the content of one that was learned from", tested,
                repeated, untold)
  bool holds() const { return tested > untold && repeated == 0; }
  std::string sentence() const {
    return concat("None of ", counted(tested - untold, "tested case"),
                  " has the content of a case that was learned from",
                  untold == 0 ? "." : concat("; ", untold, " more hold nothing, or what many cases hold."));
  }
  static TestIsSeparate example() { return {80, 0, 3}; }
  static TestIsSeparate counterexample() { return {80, 1, 0}; }
};

inline std::vector<FindingKind> reading_finding_kinds() {
  return finding_kinds<TwoUnits, MostLeftOut, TellsOutcomeAlone, SameCases, FewSameCases, TestIsSeparate>();
}

}  // namespace fovea::study
