#pragma once
/// The keys of a config that say which series an experiment reads, and the reading.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/keys.hpp"

namespace fovea::lag::series {

/// Which series are read, and how.
struct SeriesAsked {
  std::string file;  ///< empty: they are simulated
  datasets::series::SeriesFileOptions options;
  bool made() const { return file.empty(); }
  std::string called() const { return made() ? "the simulated series" : file; }  ///< in errors
};
/// data.file, data.time, data.recording, data.columns, data.dates, data.missing; sample: what stands in for a file that
/// is not named.
Keys<SeriesAsked> series_keys(const std::string& sample);

/// What an experiment with these keys opens: data.file, whole, as a datasets::series::SeriesFile; empty where none is
/// named. Throws as read_series().
Inputs open_series(const Config& config);
/// What was opened. Throws ArgumentError where nothing was.
std::shared_ptr<const datasets::series::SeriesFile> opened_series(const Inputs& inputs);
/// The values of these keys for a file and how it is read, for OpenInputs::look(). A link is not followed: a name's
/// ending says what is in it.
std::map<std::string, ConfigValue> values_of_keys(const std::string& path,
                                                  const datasets::series::SeriesFileOptions& options);

/// The evenly spaced series of what was opened, or where `difference` is true their differences from step to step
/// inside the recordings (the others are then let go); appends to notes what was read. Throws DataError for uneven
/// times; it says that these are for lag.pair.
std::shared_ptr<const datasets::series::SeriesTable> table_of(const SeriesAsked& asked, bool difference, Inputs inputs,
                                                              std::vector<std::string>& notes);
/// Throws DataError, with the file's name and the way to lag.pair, where its times are unevenly spaced.
void refuse_uneven(const SeriesAsked& asked, const datasets::series::SeriesFile& file);

/// x(t) - x(t - 1) inside each recording, one step fewer in each; NaN where either is missing.
datasets::series::SeriesTable differences(const datasets::series::SeriesTable& table);
/// Names of the series whose unit root is not ruled out at 5 %: n (rho - 1) > -14.1 for the least-squares rho of x(t)
/// on x(t - 1) and a constant (Dickey & Fuller 1979; the value: Fuller 1976, table 8.5.1). Of several recordings each
/// has a constant of its own, and the limit is -3 R - 1.645 sqrt(10.2 R) for R of them (Levin & Lin 1992). Two such
/// series seem related by chance alone (Granger & Newbold 1974).
///
/// of_line: the table is what a line, a curve or changes of level leave of the series, and the limit is -21.8 (the same
/// table; that of a line).
std::vector<std::string> possible_random_walks(const datasets::series::SeriesTable& table, bool of_line = false);
MayWander may_wander(const datasets::series::SeriesTable& table, bool of_line = false);

/// The places of some names; an empty list for no names. Throws DataError that names the nearest.
std::vector<Index> places_of(const std::vector<std::string>& names, const datasets::series::SeriesTable& table,
                             const std::string& file);

/// What stands in square brackets at the end of a name, as in "level [m]"; empty: nothing.
std::string unit_in_name(const std::string& name);

/// The table's unit of time, "steps" where it has none: that of lag_time().
std::string lag_unit(const datasets::series::SeriesTable& table);
/// The lag in this unit.
double lag_time(const datasets::series::SeriesTable& table, Index lag);
/// The same in words: "3 steps", "1.5 days".
std::string lag_text(const datasets::series::SeriesTable& table, Index lag);

}  // namespace fovea::lag::series
