#pragma once
/// What opinion.measure says in words, by kind.

#include <cstdint>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/data/least_value.hpp"

namespace fovea::opinion::measure {

struct CountsRead {
  std::string column;  ///< empty: each row is one answer
  std::int64_t rows, people;
  FOVEA_FINDING(note, "counts_read", "the rows of a survey are counts of people", column, rows, people)
  bool holds() const { return !column.empty(); }
  std::string sentence() const {
    return concat("Rows are counts: ", column, " is how many people gave the answer, ", people, " in ",
                  counted(rows, "row"), ", and intervals are those of ", people,
                  " people. With --counts none (data.counts) each row is one answer.");
  }
  static CountsRead example() { return {"n", 7, 1000}; }
  static CountsRead counterexample() { return {"", 0, 1000}; }
};

struct SurveyColumnsUnused {
  std::int64_t count;
  std::string columns, weights;  ///< a few; those called like weights or counts, where none are used
  FOVEA_FINDING(note, "survey_columns_unused", "columns of a survey are not used", count, columns, weights)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    return concat(counted(count, "column"), " not used: ", columns, '.',
                  weights.empty() ? ""
                                  : concat(" Every row counts once: where ", weights,
                                           " holds design weights, name "
                                           "it with --weight (data.weight), where numbers of people, with --counts "
                                           "(data.counts)."));
  }
  static SurveyColumnsUnused example() { return {2, "age, pspwght", "pspwght"}; }
  static SurveyColumnsUnused counterexample() { return {0, "", ""}; }
};

struct SidesOfFew {
  std::int64_t few, absent;  ///< sides of a group with fewer than `least` answers; with none
  std::int64_t least;
  std::string sides;
  FOVEA_FINDING(note, "sides_of_few", "a side has few answers or none in a group", few, absent, least, sides)
  bool holds() const { return few + absent > 0; }
  std::string sentence() const {
    return concat("Sides of fewer than ", least, " answers: ", sides, '.',
                  few > 0 ? " Intervals of so few answers may be too short." : "",
                  absent > 0 ? " A side without answers is left out there, so that a change from or to there compares "
                               "other sides."
                             : "");
  }
  static SidesOfFew example() { return {1, 1, 10, "Greens (3), Left in wave 2010 (none)"}; }
  static SidesOfFew counterexample() { return {0, 0, 10, ""}; }
};

/// Of the shuffles of the sides: Benjamini & Hochberg (1995) over the groups.
struct SidesDiffer {
  std::string column;
  std::int64_t sides, groups, differ;  ///< groups: those with two sides of enough answers
  double level, p, least_p;            ///< p: the least of them; least_p: that the shuffles can give
  FOVEA_FINDING(verdict, "sides_differ", "the mean answers of sides differ significantly, compared with shuffled sides",
                column, sides, groups, differ, level, p, least_p)
  bool holds() const { return differ > 0; }
  std::string sentence() const {
    const std::string where = differ < groups ? concat(differ, " of ", groups)
                              : groups == 2   ? "both"
                                              : concat("all ", groups);
    return concat(
        "The mean answers of the ", sides, " sides of ", column, " differ significantly ",
        groups == 1
            ? concat("(", drawn_p_words(p, least_p), " against shuffled sides", least_p_words(p, least_p), ").")
            : concat("in ", where, " groups (shuffled sides, false discovery rate ", plain_text(1 - level), ")."));
  }
  static SidesDiffer example() { return {"party", 3, 6, 5, 0.95, 0.005, 0.005}; }
  static SidesDiffer counterexample() { return {"party", 3, 6, 0, 0.95, 0.2, 0.005}; }
};

struct SidesAlike {
  std::string column;
  std::int64_t sides, groups, differ;
  double p, least_p;
  FOVEA_FINDING(verdict, "sides_alike", "no significant difference between the mean answers of sides was found", column,
                sides, groups, differ, p, least_p)
  bool holds() const { return groups > 0 && differ == 0; }
  std::string sentence() const {
    return concat("No significant difference between the mean answers of the ", sides, " sides of ", column,
                  groups == 1 ? "" : concat(" in any of ", groups, " groups"), " (", groups == 1 ? "" : "least ",
                  drawn_p_words(p, least_p), " against shuffled sides", least_p_words(p, least_p), ").");
  }
  static SidesAlike example() { return {"party", 2, 1, 0, 0.4, 0.005}; }
  static SidesAlike counterexample() { return {"party", 2, 1, 1, 0.005, 0.005}; }
};

/// By default: see plan_draws().
struct DrawsByTime {
  std::int64_t draws, null_draws, usual, usual_null;  ///< usual: as many as draws where these were asked for
  FOVEA_FINDING(note, "draws_by_time", "a large input has fewer draws by default", draws, null_draws, usual, usual_null)
  bool holds() const { return draws < usual || null_draws < usual_null; }
  std::string sentence() const {
    const auto one = [](const char* of, std::int64_t here, std::int64_t by_default) {
      return here == by_default ? "" : concat(of, here, " draws, not ", by_default);
    };
    const std::string intervals = one("Intervals are of ", draws, usual);
    return concat(
        intervals,
        one(intervals.empty() ? "The null model is of " : ", and the null model is of ", null_draws, usual_null),
        ", as a draw takes long at this size; --draws and --null-draws (bootstrap.draws, "
        "null.draws) give other numbers.");
  }
  static DrawsByTime example() { return {200, 40, 1000, 200}; }
  static DrawsByTime counterexample() { return {100, 20, 100, 20}; }
};

}  // namespace fovea::opinion::measure
