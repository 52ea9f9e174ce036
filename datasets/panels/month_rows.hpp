#pragma once
/// A table with one row a month, read row by row. Internal to datasets/panels.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/datasets/series/text.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::panels {

/// "fredmd.csv", for notes.
std::string file_name(const std::string& path);

/// The month of one date; 03/04/2020 is in March. Nothing for a text that is no date, and for a quarter.
std::optional<Index> month_of_text(const std::string& text);

/// A date of a row.
struct DateCell {
  std::size_t line = 0;  ///< of the file
  std::string text;
};

class MonthRows {
 public:
  /// Throws DataError for a table without names, with a column without one, or of quarters.
  explicit MonthRows(const std::string& path);

  /// Goes to the next row with something in it.
  bool next();
  const datasets::text::CsvReader& reader() const { return reader_; }
  /// The columns other than those of the date.
  const std::vector<std::size_t>& values() const { return values_; }
  std::string date() const;
  /// Takes the row's date as that of the next month.
  void take_date() { dates_.push_back({reader_.row(), date()}); }
  std::size_t rows() const { return dates_.size(); }
  /// Of the n-th row that was taken.
  std::size_t line(std::size_t n) const { return dates_[n].line; }
  /// NaN where the cell is empty or a word for nothing. Throws DataError for text and for an infinite number.
  double number(std::size_t column) const;

  /// The month of the first row. Throws DataError for a date that is none and for rows that are no months in order.
  Index first_month(std::vector<std::string>& notes) const;
  /// Throws DataError "FILE:row N, column 'x': SENTENCE".
  [[noreturn]] void refuse(std::size_t line, std::size_t column, const std::string& sentence) const;

 private:
  std::string path_;
  datasets::series::SeriesText text_;
  datasets::text::CsvReader reader_;
  std::size_t date_ = 0;              ///< the column
  std::optional<std::size_t> month_;  ///< where the column of the date holds the year alone
  std::vector<std::size_t> values_;
  std::vector<DateCell> dates_;
};

}  // namespace fovea::datasets::panels
