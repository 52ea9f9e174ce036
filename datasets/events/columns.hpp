#pragma once
/// Which columns of a CSV file hold stay, time, variable and value. Internal to datasets/events.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// Opens a CSV file by its own separator: comma, semicolon, tab or bar, whichever the first row has most of.
struct OpenCsv {
  char separator = ',';
  std::unique_ptr<text::CsvReader> reader;
};
OpenCsv open_csv(const std::string& path);

/// Of times that are numbers.
enum class TimeUnit { unknown, seconds, minutes, hours, days };
/// seconds, s, minutes, min, hours, h, days, d, ...; unknown for any other word.
TimeUnit time_unit(std::string_view word);
/// A number of this unit in hours; the same double for the same time in minutes, hours and dates.
double in_hours(double number, TimeUnit unit);

struct EventColumns {
  std::optional<std::size_t> stay;                      ///< none: the file is a stay of its own, called by its name
  std::optional<std::size_t> time;                      ///< none: all rows are of statics
  std::optional<std::size_t> patient, variable, value;  ///< no variable: a wide table, a column a variable
  std::optional<std::size_t> origin, value_unit;
  TimeUnit unit = TimeUnit::unknown;  ///< unknown: the times are dates, or the unit has to be asked for
};

/// By the names that the options give, else by the usual ones, whatever their case (read.hpp). A table with times and
/// without a column of variables, but with one of numbers or more, is wide. may_be_stay: a wide table without a column
/// of stays is one stay. Throws DataError that says which column is not there, and how to name it.
EventColumns event_columns(const text::CsvReader& reader, const std::string& path, const EventOptions& options,
                           bool may_be_stay);
/// Those of a table of one row a stay, without times.
EventColumns static_columns(const text::CsvReader& reader, const std::string& path, const EventOptions& options);

/// How a key of reading is given: "--time-unit", or "--set data.time_unit=..." where a config is read.
std::string option_text(const EventOptions& options, std::string_view key, std::string_view value = "");
/// The time unit that a column's name says.
TimeUnit unit_of_title(const std::string& column);

/// The column of stays, and that of patients where there is another.
struct IdColumns {
  std::size_t stay = 0;
  std::optional<std::size_t> patient;
};
std::optional<IdColumns> id_columns(const text::CsvReader& reader, const EventOptions& options);

/// Lower case, "-" and blanks as "_", what stands in brackets cut off.
std::string plain_name(const std::string& column);
/// "'a', 'b'".
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace fovea::datasets::events
