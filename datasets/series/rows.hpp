#pragma once
/// Rows of a file of series before it is known whether their times are even. Only for the sources of series_file.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/datasets/series/times.hpp"

namespace fovea::datasets::series {

/// Rows x names, with a time and a recording for each row where there are such columns.
struct SeriesRows : ReadingNotes {
  std::string path;
  std::vector<std::string> names;
  std::vector<double> cells;  ///< rows x names
  TimeKind kind = TimeKind::none;
  std::string time_name, time_unit;
  std::vector<double> times;             ///< a row; days for dates
  std::vector<std::uint32_t> recording;  ///< a row; empty: one recording
  std::vector<std::string> recordings;   ///< their names
  std::vector<std::size_t> lines;        ///< of the file, one a row; empty: rows are counted from 1
  std::vector<std::size_t> columns;      ///< of the file, one a name; empty: not known
  std::size_t rows() const { return names.empty() ? 0 : cells.size() / names.size(); }
  /// "FILE:row N" of a row.
  std::string place_of(std::size_t row) const;
  std::vector<double> column(std::size_t c) const;
  /// Keeps the columns where `kept` is true.
  void keep(const std::vector<bool>& kept);
  void drop(std::size_t c);
  /// First rows of stretches of the same recording.
  std::vector<std::size_t> stretches() const;
  /// Whether these numbers, one a row, rise from row to row in each stretch.
  bool ascends(const std::vector<double>& values) const;
};

/// Months and days without years become the times: whether there are such columns.
bool take_months_and_days(SeriesRows& rows);
/// Of the columns with these names the first whose numbers ascend in each recording, or are dates, becomes the times.
void take_times(SeriesRows& rows, const std::vector<std::string>& candidates);
/// A column of whole numbers becomes the recordings if the times, those of the rows or else of a candidate, ascend for
/// each of its numbers and not throughout.
void take_numbered_recordings(SeriesRows& rows, const std::vector<std::string>& candidates);
/// Times that are 199001, 1990.01, 19901 (a quarter), 1990001 (a day), or seconds to nanoseconds since 1970 become
/// dates: where all are, ascend and are then evenly spaced.
void read_numbers_as_dates(SeriesRows& rows);
/// Hours that a local clock strikes twice, or leaves out, where summer time ends or begins.
void count_on_local_clock(SeriesRows& rows);
/// Leaves out columns that rise by the same from row to row, perhaps from 0 or 1 again and again, and columns that
/// repeat the year, month, day, weekday or hour of the times.
void drop_counters(SeriesRows& rows, const SeriesFileOptions& options);
/// Whether the series, in stretches, is a running total or a trend that never turns, and no counter.
bool is_total(const std::vector<double>& values, const std::vector<std::size_t>& starts);
/// Puts the increments of running totals in their place, and leaves out columns that follow from others: see
/// dependent.cpp.
void take_increments(SeriesFile& file, const SeriesFileOptions& options);
void drop_dependent(SeriesFile& file);

/// Puts stretches together, checks times and values, drops what is no series, and makes a table or curves of it.
SeriesFile finished(SeriesRows rows, const SeriesFileOptions& options);

/// How a column of times is written, found out before it is read.
struct TimeStyle {
  DayMonth order = DayMonth::unknown;
  std::vector<std::string> notes;
};
/// Reads the column once more if its first cell is a date such as 03/04/2020. Throws DataError if the column can be
/// read in both orders and the options do not say which.
TimeStyle time_style(const datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     std::size_t column, const SeriesFileOptions& options);

/// Rows of a text file without the line of units and without sums at its end, such as "Total".
class DataRows {
 public:
  DataRows(datasets::text::CsvReader& reader, const SeriesText& text) : reader_(reader), text_(text) {}
  /// Throws DataError for a sum that other rows follow.
  bool next();
  std::vector<std::string> notes() const;

 private:
  datasets::text::CsvReader& reader_;
  const SeriesText& text_;
  std::size_t sums_ = 0;
  std::string first_sum_;
};

/// A text file with a column of times and one column for each series.
SeriesRows read_wide(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const SeriesFileOptions& options);

/// The columns of a long file; nothing if it is not one.
struct LongColumns {
  std::size_t series = 0, time = 0, value = 0;
  std::optional<std::size_t> error, group;
  bool by_words = false;  ///< no name says that it is long: some time must stand there twice
};
std::optional<LongColumns> long_columns(const datasets::text::CsvReader& reader, const std::string& path,
                                        const SeriesText& text, const SeriesFileOptions& options);
SeriesFile read_long(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const LongColumns& columns, const SeriesFileOptions& options);

/// An HDF5 file.
SeriesRows read_hdf5_series(const std::string& path, const SeriesFileOptions& options);

/// Names in the order in which they come first, as numbers.
struct NameOrder {
  std::vector<std::string> names;
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::size_t number_of(std::string_view name);
};

/// Lower case, without blanks around it.
std::string lower_name(std::string_view name);
/// Whether a column of this name tells recordings apart; of a thing ("firm", "station"): where times bear it out.
bool is_recording_name(std::string_view name);
bool is_name_of_thing(std::string_view name);
/// Throws DataError for names of recordings that are as good as one a row, or values that were measured.
void check_recordings(const std::string& path, const std::string& column, const std::vector<std::string>& names,
                      std::size_t rows);
/// Whether a cell holds letters and is neither a missing value nor a date.
bool is_word(std::string_view cell);
/// Throws DataError for a column of words that are no recordings.
[[noreturn]] void refuse_words(const std::string& path, const std::string& column,
                               const std::vector<std::string>& words);
/// The place of a column of this name. Throws DataError as refuse_column().
std::size_t place_of_column(const std::string& path, const std::string& name, const std::vector<std::string>& columns);
/// Throws DataError that names the columns there are, or the nearest.
[[noreturn]] void refuse_column(const std::string& path, const std::string& wanted,
                                const std::vector<std::string>& there);

}  // namespace fovea::datasets::series
