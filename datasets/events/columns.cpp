#include "fovea/datasets/events/columns.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::events {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kStayNames[] = {
    "stay_id", "icustay_id", "hadm_id",  "encounter_id", "visit_id",   "visit_occurrence_id", "admission_id",
    "case_id", "record_id",  "recordid", "id",           "subject_id", "patient_id",          "person_id"};
constexpr std::string_view kPatientNames[] = {"patient_id", "subject_id", "person_id"};
constexpr std::string_view kVariableNames[] = {"variable", "code",  "parameter", "test", "item",
                                               "itemid",   "label", "event",     "name", "concept"};
constexpr std::string_view kValueNames[] = {"numeric_value", "valuenum", "value_as_number", "value", "result"};
constexpr std::string_view kUnitNames[] = {"valueuom",   "unit",      "units",           "uom",
                                           "value_unit", "valueunit", "unit_of_measure", "unit_source_value"};
constexpr std::string_view kOriginNames[] = {"admittime",  "admit_time", "admission_time",     "admissiontime",
                                             "intime",     "icu_intime", "icu_admission_time", "visit_start_datetime",
                                             "index_date", "index_time"};

struct TimeTitle {
  std::string_view name;
  TimeUnit unit = TimeUnit::unknown;
};
constexpr TimeTitle kTimeTitles[] = {{"time_seconds", TimeUnit::seconds},
                                     {"seconds", TimeUnit::seconds},
                                     {"time_minutes", TimeUnit::minutes},
                                     {"minutes", TimeUnit::minutes},
                                     {"minute", TimeUnit::minutes},
                                     {"time_min", TimeUnit::minutes},
                                     {"offset_minutes", TimeUnit::minutes},
                                     {"time_hours", TimeUnit::hours},
                                     {"hours", TimeUnit::hours},
                                     {"hour", TimeUnit::hours},
                                     {"time_h", TimeUnit::hours},
                                     {"offset_hours", TimeUnit::hours},
                                     {"time_days", TimeUnit::days},
                                     {"days", TimeUnit::days},
                                     {"day", TimeUnit::days},
                                     {"offset_days", TimeUnit::days},
                                     {"iculos", TimeUnit::hours},  // PhysioNet challenge 2019: hours since admission
                                     {"time"},
                                     {"charttime"},
                                     {"timestamp"},
                                     {"datetime"},
                                     {"date_time"},
                                     {"date"},
                                     {"event_time"},
                                     {"starttime"},
                                     {"start_time"},
                                     {"measurement_datetime"},
                                     {"t"}};

/// What stands in brackets at the end of a column's name.
std::string_view bracketed(std::string_view column) {
  const std::size_t open = column.find_last_of("[("), close = column.find_last_of("])");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return text::trimmed(column.substr(open + 1, close - open - 1));
}

std::optional<std::size_t> place_of(const text::CsvReader& reader, std::string_view name) {
  const auto& columns = reader.columns();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (plain_name(columns[c]) == name) return c;
  return std::nullopt;
}

/// The column that the options name, else the first of the usual names.
std::optional<std::size_t> find_column(const text::CsvReader& reader, const std::string& named, Names usual) {
  if (!named.empty()) return reader.column(named);
  for (const std::string_view name : usual)
    if (const auto place = place_of(reader, name)) return place;
  return std::nullopt;
}

[[noreturn]] void refuse_columns(const text::CsvReader& reader, const std::string& path, const EventOptions& options,
                                 const char* what, const char* key, const char* usual) {
  throw DataError(concat(path, ": has no column of ", what, " (", usual,
                         "); there are: ", quoted_list(reader.columns()), ". Name it with ", option_text(options, key),
                         options.from_config ? "." : ", or see 'fovea help inspect'."));
}

struct TimeColumn {
  std::size_t place = 0;
  TimeUnit unit = TimeUnit::unknown;
};
TimeColumn time_column(const text::CsvReader& reader, const std::string& path, const EventOptions& options) {
  const TimeUnit asked = time_unit(options.time_unit);
  const auto unit_of = [&](std::size_t place, TimeUnit of_title) {
    if (asked != TimeUnit::unknown) return asked;
    return of_title != TimeUnit::unknown ? of_title : time_unit(bracketed(reader.columns()[place]));
  };
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  const std::size_t named = options.time.empty() ? kAny : reader.column(options.time);
  for (const TimeTitle& title : kTimeTitles) {
    const auto place = place_of(reader, title.name);
    if (place && (named == kAny || named == *place)) return {*place, unit_of(*place, title.unit)};
  }
  if (named != kAny) return {named, unit_of(named, TimeUnit::unknown)};
  refuse_columns(reader, path, options, "times", "time", "time_minutes, time_hours, time_days, time, charttime, ...");
}

}  // namespace

TimeUnit time_unit(std::string_view word) {
  for (const std::string_view name : {"seconds", "second", "sec", "s"})
    if (word == name) return TimeUnit::seconds;
  for (const std::string_view name : {"minutes", "minute", "min"})
    if (word == name) return TimeUnit::minutes;
  for (const std::string_view name : {"hours", "hour", "h"})
    if (word == name) return TimeUnit::hours;
  for (const std::string_view name : {"days", "day", "d"})
    if (word == name) return TimeUnit::days;
  return TimeUnit::unknown;
}

double in_hours(double number, TimeUnit unit) {
  if (unit == TimeUnit::seconds) return number / 3600;
  return unit == TimeUnit::minutes ? number / 60 : unit == TimeUnit::days ? number * 24 : number;
}

std::string plain_name(const std::string& column) {
  const std::size_t bracket = column.find_first_of("[(");
  std::string name = text::lower_case(text::trimmed(std::string_view(column).substr(0, bracket)));
  std::replace(name.begin(), name.end(), ' ', '_'), std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 12;
  return text::listed(names, &text::quoted, kMost);
}

OpenCsv open_csv(const std::string& path) {
  constexpr std::size_t kLongestEventRow = 1U << 16;
  OpenCsv open;
  std::optional<DataError> first_error;  // names in quotes cannot be cut at a separator that is not theirs
  for (const char separator : {',', ';', '\t', '|'}) {
    text::CsvOptions options;
    options.separator = separator;
    options.longest_row = kLongestEventRow;
    try {
      auto reader = std::make_unique<text::CsvReader>(path, options);
      if (open.reader == nullptr || reader->columns().size() > open.reader->columns().size())
        open = {separator, std::move(reader)};
    } catch (const DataError& error) {
      if (!first_error) first_error = error;
    }
  }
  if (first_error && (open.reader == nullptr || open.reader->columns().size() < 2)) throw DataError(*first_error);
  return open;
}

std::optional<IdColumns> id_columns(const text::CsvReader& reader, const EventOptions& options) {
  const auto stay = find_column(reader, options.stay, kStayNames);
  if (!stay) return std::nullopt;
  auto patient = find_column(reader, options.patient, kPatientNames);
  if (patient == stay) patient.reset();
  return IdColumns{*stay, patient};
}

std::string option_text(const EventOptions& options, std::string_view key, std::string_view value) {
  if (options.from_config) return concat("--set data.", key, '=', value.empty() ? "..." : value);
  std::string option = concat("--", key);
  std::replace(option.begin(), option.end(), '_', '-');
  return value.empty() ? option : concat(option, ' ', value);
}

TimeUnit unit_of_title(const std::string& column) {
  const std::string plain = plain_name(column);
  for (const TimeTitle& title : kTimeTitles)
    if (title.name == plain && title.unit != TimeUnit::unknown) return title.unit;
  return time_unit(bracketed(column));
}

EventColumns event_columns(const text::CsvReader& reader, const std::string& path, const EventOptions& options,
                           bool may_be_stay) {
  EventColumns columns;
  columns.variable = find_column(reader, options.variable, kVariableNames);
  columns.value = find_column(reader, options.value, kValueNames);
  if (const auto ids = id_columns(reader, options)) {
    columns.stay = ids->stay;
    columns.patient = ids->patient;
  } else if (!may_be_stay || columns.variable) {
    refuse_columns(reader, path, options, "stays", "stay", "stay_id, hadm_id, id, subject_id, ...");
  }
  const TimeColumn time = time_column(reader, path, options);
  columns.time = time.place;
  columns.unit = time.unit;
  const std::size_t taken = 1 + (columns.stay ? 1 : 0) + (columns.patient ? 1 : 0);
  if (!columns.variable && (columns.value || reader.columns().size() <= taken))
    refuse_columns(reader, path, options, "variables, one row an event", "variable",
                   "variable, code, parameter, test, ...");
  columns.value_unit = find_column(reader, "", kUnitNames);
  const auto named = std::find(reader.columns().begin(), reader.columns().end(), options.origin);
  if (options.origin.empty())
    columns.origin = find_column(reader, "", kOriginNames);
  else if (named != reader.columns().end())
    columns.origin = static_cast<std::size_t>(named - reader.columns().begin());
  if (columns.origin == columns.time) columns.origin.reset();
  return columns;
}

EventColumns static_columns(const text::CsvReader& reader, const std::string& path, const EventOptions& options) {
  const auto ids = id_columns(reader, options);
  if (!ids) refuse_columns(reader, path, options, "stays", "stay", "stay_id, hadm_id, id, subject_id, ...");
  EventColumns columns;
  columns.stay = ids->stay;
  columns.patient = ids->patient;
  return columns;
}

}  // namespace fovea::datasets::events
