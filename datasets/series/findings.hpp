#pragma once
/// What is said of the columns of a file of series, by kind.

#include <cstdint>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::datasets::series {

struct CountsRows {
  std::int64_t count;
  std::string columns;
  FOVEA_FINDING(note, "counts_rows", "columns rise by the same from row to row, or repeat the calendar", count, columns)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    return concat("Left out, as ", count == 1 ? "it numbers" : "they number", " the rows or ",
                  count == 1 ? "repeats" : "repeat", " the calendar: ", columns,
                  "; name the columns that are series (columns) to read them all the same.");
  }
  static CountsRows example() { return {2, "'rownames' and 'weekday'"}; }
  static CountsRows counterexample() { return {0, ""}; }
};

struct RunningTotals {
  std::int64_t count, resets, never_rise;
  std::string columns;
  bool increments;  ///< are read in their place
  FOVEA_FINDING(note, "running_totals", "series never fall but to begin again near 0, or never rise", count, resets,
                never_rise, columns, increments)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    const bool one = count == 1;
    return concat(one ? "A running total or trend, as it never " : "Running totals or trends, as they never ",
                  never_rise == count ? one ? "rises" : "rise"
                  : one               ? "falls"
                                      : "fall",
                  resets == 0 ? "" : concat(" but ", counted(resets, "time"), " to begin again near 0"),
                  never_rise == 0 || never_rise == count ? "" : " or never rise", ": ", columns, ". ",
                  increments ? "What is added from row to row is read instead; to read the levels: totals keep."
                             : "Such levels seem linked whatever adds to them: do not trust links between them.");
  }
  static RunningTotals example() { return {2, 1, 0, "'cases' and 'deaths'", true}; }
  static RunningTotals counterexample() { return {0, 0, 0, "", true}; }
};

struct SameColumns {
  std::int64_t count;
  std::string columns, kept;  ///< columns: each with how it follows
  FOVEA_FINDING(note, "same_columns", "columns are equal to another, but for unit, origin and rounding", count, columns,
                kept)
  bool holds() const { return count > 0; }
  std::string sentence() const {
    return concat("The same as ", kept, " wherever both are known, so left out: ", columns, ". What is found of ", kept,
                  " holds for ", count == 1 ? "both" : "all",
                  "; to read another of them instead, name the columns that are series (columns).");
  }
  static SameColumns example() { return {1, "'decilitres' (10 'litres')", "'litres'"}; }
  static SameColumns counterexample() { return {0, "", "'litres'"}; }
};

struct SummingColumns {
  std::string relation, left_out;
  bool to_constant;
  FOVEA_FINDING(note, "summing_columns", "columns sum to another column or to a constant, but for rounding", relation,
                left_out, to_constant)
  bool holds() const { return !left_out.empty(); }
  std::string sentence() const {
    return concat(relation, " in every complete row, so ", left_out, " is left out: the others say all of it",
                  to_constant ? ". Where one of them rises others must fall: links within a step among them follow in "
                                "part from the sum alone"
                              : "",
                  "; to read it, leave another one out (columns).");
  }
  static SummingColumns example() { return {"'all' is 'north' + 'south'", "'all'", false}; }
  static SummingColumns counterexample() { return {"", "", false}; }
};

struct TimesRead {
  std::string column, as;
  FOVEA_FINDING(note, "times_read", "numbers are read as dates", column, as)
  bool holds() const { return !as.empty(); }
  std::string sentence() const { return concat("Times of ", column, " are read as ", as, "."); }
  static TimesRead example() { return {"'period'", "months: 199001 is 1990-01-01"}; }
  static TimesRead counterexample() { return {"'period'", ""}; }
};

struct LocalClock {
  std::int64_t back, ahead;
  std::string first;
  FOVEA_FINDING(note, "local_clock", "times are those of a clock that is set back in autumn and ahead in spring", back,
                ahead, first)
  bool holds() const { return back + ahead > 0; }
  std::string sentence() const {
    return concat("Times are those of a local clock, which is set ",
                  back == 0 ? "" : concat("back an hour ", counted(back, "time")), back * ahead == 0 ? "" : " and ",
                  ahead == 0 ? "" : concat("ahead an hour ", counted(ahead, "time")), ", first at ", first,
                  "; from there on they are counted by the clock of the first row.");
  }
  static LocalClock example() { return {1, 0, "2019-10-27 02:00:00"}; }
  static LocalClock counterexample() { return {0, 0, ""}; }
};

struct NumberedRecordings {
  std::int64_t count;
  std::string column, times;
  FOVEA_FINDING(note, "numbered_recordings", "numbers of a column tell recordings apart", count, column, times)
  bool holds() const { return count > 1; }
  std::string sentence() const {
    return concat("Column ", column, " tells ", count, " recordings apart, as the times of ", times,
                  " ascend in each and begin again in the next; if it is a series, say that there is one recording "
                  "(recording none).");
  }
  static NumberedRecordings example() { return {12, "'firm'", "'year'"}; }
  static NumberedRecordings counterexample() { return {1, "'firm'", "'year'"}; }
};

}  // namespace fovea::datasets::series
