#pragma once
/// Reads files of time series, whoever wrote them, and says what it recognised.
///
/// Text (.csv, .csv.gz, .txt, .tsv): separated by commas, semicolons or tabs; lines end in LF, CRLF or CR; lines that
/// begin with # are comments; an empty cell, NA, N/A, NaN, null, None and a point stand for a missing value; with
/// semicolons or tabs numbers may have decimal commas. Without names in the first row the columns are x1, x2, ...
///
/// Wide: one row a time, one column a series. A column is that of times if the options name it; or if its name says so
/// (time, t, date, timestamp, mjd, ...; day, year, step, ... only if its values ascend); or if it is the first and
/// holds ISO 8601 dates or ascending numbers. A column "recording", "regime", "session", "segment", "subject" or
/// "trial" cuts the rows into stretches that no lag crosses: a stretch ends where the name changes (rows of names that
/// alternate are put together). Times must ascend in each stretch; a file that begins with its newest row is turned
/// round.
///
/// Long: columns "series", "t" and "y" (or the usual other names), perhaps "dy" with standard errors and "pair",
/// "object" or "recording" for groups of curves; rows in any order.
///
/// HDF5 and netCDF-4 (.h5, .hdf5, .nc): one array of two dimensions, times x series, or arrays of one dimension with
/// the same size; a coordinate of the time dimension holds the times. fovea's own result files are such files.
///
/// Evenly spaced times (see even_steps()) give a table; rows that are not there become missing ones. Uneven times, and
/// long files with standard errors, give curves. Series without a value and constant ones are left out, which is said.

#include <string>
#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::datasets::series {

struct SeriesFileOptions {
  std::string time;                  ///< the column of times; "": recognised; "none": rows are steps
  std::string recording;             ///< the column of recordings or groups; "": recognised; "none": one recording
  std::vector<std::string> columns;  ///< the series to read; empty: all
  bool operator==(const SeriesFileOptions&) const = default;
};

struct SeriesFile {
  SeriesTable table;               ///< empty where times are uneven
  std::vector<CurveGroup> groups;  ///< empty where they are even
  std::vector<std::string> notes;  ///< what was recognised, a sentence each
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
