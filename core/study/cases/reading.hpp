#pragma once
/// What was read of a data set, and what was left out: one record for `fovea inspect`, the console of `fovea run`, the
/// page, result.h5 and model.h5, all of which show sentences_of().

#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

inline constexpr std::size_t kShownPlaces = 5;  ///< of what was left out

/// Something that is in the files and not in the cases.
struct LeftOut {
  std::string what;                      ///< in the singular: "row", "column", "jet"
  Index count = 0;                       ///< of which so many were left out
  std::string reason;                    ///< "later than data.at = 48 hours", "no admission in the column hadm_id"
  std::vector<std::string> places = {};  ///< of the first kShownPlaces: "FILE:row 7", or their names
};

struct ReadVariable {
  std::string name, unit;  ///< unit: empty where it is not known, "1" of a pure number
  std::string known_by;    ///< how the unit is known: "column valueuom", "the key data.unit", "assumed"
  Index cases = 0;         ///< that have it
};

/// How many cases have each outcome.
struct OutcomeCounts {
  std::string part;                                    ///< "training", "test"; empty: of all cases
  std::vector<std::pair<std::string, Index>> classes;  ///< empty where the target is a real number
  double low = kNan, high = kNan;                      ///< of a real number
  Index known = 0, unknown = 0;                        ///< of the target's level: cases, or tokens
};

struct Reading {
  // What the reader knows.
  std::vector<std::string> files = {};         ///< of the cases and their targets; none: simulated
  std::string noun = "case", token = "token";  ///< what a case is, in the singular: "stay", "jet"; and a token: "event"
  std::string group = {};                      ///< what a group is: "patient"; empty: "group"
  bool group_is_column = false;                ///< of a user's table: its name takes no plural
  std::vector<ReadVariable> variables = {};    ///< whose units it knows
  std::vector<LeftOut> left_out = {};
  std::vector<std::string> late = {};  ///< classes of tokens that cases have only later than they are asked
  /// What was assumed or set: a sentence each, that begins with the file.
  std::vector<std::string> notes = {};
  std::vector<Finding> findings = {};  ///< warnings and notes of kinds with a condition
  /// What the user's file calls each case: "b.h5, jet 12"; empty: by its id.
  std::vector<std::string> places = {};

  // What is counted in the cases: count_cases().
  Index cases = 0, groups = 0, tokens = 0, without_tokens = 0;
  Index smallest_cell = 0;  ///< > 1: counts of fewer cases are not shown
  double first = kNan, last = kNan;
  std::string time_unit = {}, outcome = {};
  std::vector<OutcomeCounts> outcomes = {};

  std::string nouns() const { return noun + 's'; }
  /// A group in a word that takes a plural.
  std::string group_noun() const { return group.empty() || group_is_column ? "group" : group; }
  /// Records it where its condition holds.
  template <typename Kind>
  void finding(const Kind& found) {
    if (found.holds()) findings.push_back(finding_of(found));
  }
  /// Files by their names alone, wherever they are said: where a file lies changes no result.
  void without_folders();
  /// Adds one to what was left out for this reason, and its place where it is one of the first.
  void leave_out(const std::string& what, const std::string& reason, const std::string& place);
};

struct Cases;
struct Target;

/// Fills the second half; variables are added by their names, so that those which no case has keep their 0.
void count_cases(Reading& reading, const Cases& cases, const Target& target);

/// For people, in the order of importance: what there is, outcomes, units, what was left out, notes.
std::vector<std::string> sentences_of(const Reading& reading);

/// "189 rows: nothing in the column 'hadm_id' (labs.csv:row 3; row 4; ...)"; of cases and tokens no count below the
/// smallest cell.
std::string left_out_text(const Reading& reading, const LeftOut& one);

/// All of it as one JSON object, with "sentences" and "findings".
std::string reading_json(const Reading& reading);

/// The sentences in a document of unknown origin. Throws DataError that starts with `source`.
std::vector<std::string> sentences_in(const std::string& source, const std::string& document);

}  // namespace fovea::study
