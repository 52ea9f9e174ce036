#pragma once
/// What the columns of a table hold, found by reading it once from end to end.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/datasets/cases/table_cells.hpp"
#include "fovea/datasets/series/missing_marks.hpp"

namespace fovea::datasets::cases {

/// A column of names has at most so many; more are texts.
inline constexpr std::size_t kMostNames = 50;

enum class ColumnKind {
  number,      ///< all cells are numbers, or limits such as "<0.1"
  date,        ///< all cells are dates
  names,       ///< a few words, or words and numbers, that come again
  identifier,  ///< names rows or cases: by its name, or since each row has another word, or counts the rows
  constant,    ///< the same in all rows
  empty,       ///< nothing in any row
  text,        ///< more different words than names may be
  mixed,       ///< mostly numbers or dates, and a few words
};
const char* name_of(ColumnKind kind);

struct TableColumn {
  std::string name, unit;
  ColumnKind kind = ColumnKind::empty;
  Index missing = 0, numbers = 0, limits = 0, dates = 0, words = 0;  ///< cells; limits are numbers, too
  bool whole = true;                                                 ///< the numbers are whole
  double low = 0, high = 0;                                          ///< of the numbers, or days of the dates
  Index distinct = 0;                                  ///< different cells; of more than kMostDistinct so many
  std::map<std::string, Index> names;                  ///< how often each comes; of the first kMostNames + 1
  std::string odd;                                     ///< a word in a column of numbers or dates: the first
  std::size_t odd_row = 0;                             ///< the line where it stands
  std::optional<series::SuspectedMark> mark;           ///< a number that looks like a mark of missing values
  series::DayMonth order = series::DayMonth::unknown;  ///< of dates such as 03/04/2020
  bool dates_are_open = false;                         ///< they can be read in both orders
  bool has_decimal_commas = false;                     ///< cells such as "1,5", which are no numbers in this file
};

/// The most different cells of a column that are told apart.
inline constexpr std::size_t kMostDistinct = 100'000;

struct TableSurvey {
  std::string path;
  CellRules rules;
  std::vector<TableColumn> columns;
  Index rows = 0;
  std::vector<std::string> notes;  ///< how the file is written, where it is not the rule

  const TableColumn* find(std::string_view name) const;
  std::size_t place(std::string_view name) const;  ///< of a column that is there
  /// The column that `key` names. Throws DataError that says the nearest name, or which there are.
  const TableColumn& at(std::string_view name, std::string_view key) const;
};

/// Goes to the next row that has as many fields as the first; false at the end.
bool next_whole_row(text::CsvReader& reader);

/// missing: further marks; "none" alone: there are none, and none is suspected. leave_out_bad: rows of more or fewer
/// fields than the first are passed over, else the first throws text::RowFault. Throws DataError for a file that is no
/// table with names of columns, and StorageError.
TableSurvey survey_table(const std::string& path, const std::vector<std::string>& missing,
                         series::DayMonth dates = series::DayMonth::unknown, bool leave_out_bad = false);

/// "id", "patient_id", "PatientID", "row", "Unnamed: 0", ...
bool is_named_as_identifier(std::string_view name);

}  // namespace fovea::datasets::cases
