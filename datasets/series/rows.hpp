#pragma once
/// Rows of a file of series before it is known whether their times are even. Only for the sources of series_file.

#include <cstdint>
#include <optional>

#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/datasets/series/times.hpp"

namespace fovea::datasets::series {

/// Rows x names, with a time and a recording for each row where there are such columns.
struct SeriesRows {
  std::string path;
  std::vector<std::string> names;
  std::vector<double> cells;  ///< rows x names
  TimeKind kind = TimeKind::none;
  std::string time_name, time_unit;
  std::vector<double> times;             ///< a row; days for dates
  std::vector<std::uint32_t> recording;  ///< a row; empty: one recording
  std::vector<std::string> recordings;   ///< their names
  std::vector<std::size_t> lines;        ///< of the file, one a row; empty: rows are counted from 1
  std::vector<std::string> notes;
  std::size_t rows() const { return names.empty() ? 0 : cells.size() / names.size(); }
  /// "FILE:row N" of a row.
  std::string place_of(std::size_t row) const;
};

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
};
std::optional<LongColumns> long_columns(const datasets::text::CsvReader& reader, const SeriesFileOptions& options);
SeriesFile read_long(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const LongColumns& columns, const SeriesFileOptions& options);

/// An HDF5 file.
SeriesRows read_hdf5_series(const std::string& path, const SeriesFileOptions& options);

/// Lower case, without blanks around it.
std::string lower_name(std::string_view name);
/// Whether a column of this name tells recordings apart.
bool is_recording_name(std::string_view name);
/// Throws DataError for names of recordings that are as good as one a row, or values that were measured.
void check_recordings(const std::string& path, const std::string& column, const std::vector<std::string>& names,
                      std::size_t rows);
/// Throws DataError that names the columns there are, or the nearest.
[[noreturn]] void refuse_column(const std::string& path, const std::string& wanted,
                                const std::vector<std::string>& there);

}  // namespace fovea::datasets::series
