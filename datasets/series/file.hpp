#pragma once
/// Reads files of time series, whoever wrote them, and says what it recognised.
///
/// Text (.csv, .csv.gz, .txt, .tsv): separated by commas, semicolons, tabs or bars; lines end in LF, CRLF or CR; lines
/// that begin with # are comments; an empty cell, NA, NaN, null, a point, a dash and so on stand for a missing value,
/// and so do the numbers that the options name; with semicolons or tabs numbers may have decimal commas. Thousands may
/// be set apart, a unit may stand behind each number of a column or in a row below the names, and the last rows may sum
/// up the others ("Total"): they are left out. A row that repeats the one before is left out too. Text that is not
/// UTF-8 is read as Windows-1252. Without names in the first row the columns are x1, x2, ...
///
/// Wide: one row a time, one column a series. A column is that of times if the options name it; or if its name says so
/// (time, t, date, timestamp, mjd, ...; day, year, step, visit, ... only if its values ascend); or if it is the first
/// and holds dates (dates.hpp) or ascending numbers. Whether 03/04/2020 begins with the day is decided by the whole
/// column, or asked for. Numbers such as 199001, 1990.01 or milliseconds since 1970 are dates where all are; zones may
/// be named (CET); an hour that a local clock strikes twice in autumn, or leaves out in spring, is counted as it was.
/// Columns of dates and of clocks or hours, of year and month, day, quarter or week, and of month and day, are put
/// together. Columns that only number the rows or repeat the calendar are left out. A column "recording", "regime",
/// "session", "segment", "subject", "patient" or "trial", or of names, cuts the rows into stretches that no lag
/// crosses: a stretch ends where the name changes (rows of names that alternate are put together). So does a column of
/// words or whole numbers of any name where times ascend within each and not throughout. Times must ascend in each
/// stretch; a file that begins with its newest row is turned round.
///
/// Long: columns "series", "t" and "y" (or the usual other names), perhaps "dy" with standard errors and "pair",
/// "object" or "recording" for groups of curves; or any three columns of times, names and numbers; rows in any order.
///
/// HDF5 and netCDF-4 (.h5, .hdf5, .nc): one array of two dimensions, times x series, or arrays of one dimension with
/// the same size; a coordinate of the time dimension holds the times. fovea's own result files are such files.
///
/// Evenly spaced times (see even_steps()) give a table; rows that are not there become missing ones. Uneven times, and
/// long files with standard errors, give curves. Series without a value and constant ones are left out, and of a table
/// those that equal others but for unit and rounding, or follow from a sum. Of running totals and counters that wrap
/// the increments are read. All of it is said.

#include <string>
#include <vector>

#include "fovea/core/data/finding.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::datasets::series {

struct SeriesFileOptions {
  std::string time;                  ///< the column of times; "": recognised; "none": rows are steps
  std::string recording;             ///< the column of recordings or groups; "": recognised; "none": one recording
  std::vector<std::string> columns;  ///< the series to read; empty: all
  std::string dates = "auto";        ///< of 03/04/2020: "day-first", "month-first", or decided by the column
  /// Numbers that mark missing values; "none": none does; empty: suspects are refused.
  std::vector<std::string> missing = {};
  std::string totals = "difference";  ///< of running totals the increments are read, or with "keep" the levels
  bool operator==(const SeriesFileOptions&) const = default;
};

/// What was recognised, a sentence each.
struct ReadingNotes {
  std::vector<std::string> notes;
  std::vector<Finding> findings;  ///< whose sentences are among the notes
  template <typename Kind>
  void say(const Kind& found) {
    if (!found.holds()) return;
    findings.push_back(finding_of(found));
    notes.push_back(found.sentence());
  }
};

struct SeriesFile : ReadingNotes {
  SeriesTable table;               ///< empty where times are uneven
  std::vector<CurveGroup> groups;  ///< empty where they are even
  bool irregular() const { return !groups.empty(); }
};

/// The fewest rows that make a series.
inline constexpr std::size_t kFewestRows = 4;

/// "'a', 'b' and 7 more": the first few names, for a message.
std::string listed(const std::vector<std::string>& names);

/// Throws DataError ("FILE:row N, column 'x': ...") for what is no such file or has no such column, and StorageError
/// for what cannot be read.
SeriesFile read_series(const std::string& path, const SeriesFileOptions& options = {});

}  // namespace fovea::datasets::series
