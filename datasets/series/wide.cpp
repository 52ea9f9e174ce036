#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::size_t kNowhere = -1;

/// Which column is what.
struct WideColumns {
  std::size_t time = kNowhere, recording = kNowhere;
  std::size_t clock = kNowhere;                  ///< of a column of dates: the times of day, or hours
  std::size_t month = kNowhere, day = kNowhere;  ///< of a column of years
  bool is_part_of_time(std::size_t c) const { return c == clock || c == month || c == day; }
  bool time_is_certain = false;  ///< otherwise its values must ascend
  bool time_is_lent = false;     ///< the first of the series is there only because it may hold times
  std::vector<std::size_t> series;
};

std::size_t place_of_column(const datasets::text::CsvReader& reader, const std::string& path, const std::string& name) {
  const auto& columns = reader.columns();
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) refuse_column(path, name, columns);
  return (found - columns.begin());
}

bool is_clock(std::string_view cell) {
  return cell.find(':') != std::string_view::npos &&
         date_of("2000-01-01 " + std::string(datasets::text::trimmed(cell)));
}

bool is_hour(std::string_view name, std::string_view cell) {
  const std::string word = lower_name(name);
  const auto hour = number_in(cell, false);
  return (word == "hour" || word == "hr" || word == "stunde") && hour && *hour >= 0 && *hour <= 24 &&
         *hour == std::floor(*hour);
}

/// Columns of years, months and perhaps days are times together.
void find_year_month_day(const datasets::text::CsvReader& reader, WideColumns& columns) {
  const auto find = [&](std::initializer_list<const char*> words) {
    for (std::size_t c = 0; c < reader.columns().size(); ++c)
      for (const char* word : words)
        if (lower_name(reader.columns()[c]) == word && number_in(reader.text(c), false)) return c;
    return kNowhere;
  };
  const std::size_t year = find({"year", "yr", "jahr"}), month = find({"month", "mon", "mo", "monat"});
  const bool is_other = columns.time_is_certain && columns.time != year;
  if (year == kNowhere || month == kNowhere || is_other) return;
  columns.time = year;
  columns.month = month;
  columns.day = find({"day", "dy", "tag"});
  columns.time_is_certain = true;
}

/// The column of times by its name; failing that the first, if its first cell is a date, or perhaps if a number.
void find_time(const datasets::text::CsvReader& reader, bool has_header, WideColumns& columns) {
  const auto& names = reader.columns();
  const std::size_t first = columns.recording == 0 ? 1 : 0;
  for (std::size_t c = 0; c < names.size() && has_header && !columns.time_is_certain; ++c) {
    const TimeName name = time_name(names[c]);
    if (!name.is_time || c == columns.recording || (!name.certain && c > first) || is_clock(reader.text(c))) continue;
    columns.time = c;
    columns.time_is_certain = name.certain;
  }
  if (columns.time == kNowhere && first == 0) columns.time = 0;
  if (columns.time != kNowhere && is_date(reader.text(columns.time))) columns.time_is_certain = true;
  if (has_header) find_year_month_day(reader, columns);
  const bool has_days = columns.day != kNowhere || (columns.time != kNowhere && is_date(reader.text(columns.time)));
  for (std::size_t c = 0; c < names.size() && has_header && columns.time_is_certain && has_days; ++c)
    if (columns.clock == kNowhere && c != columns.time &&
        (is_clock(reader.text(c)) || is_hour(names[c], reader.text(c))))
      columns.clock = c;
}

/// A column of names, such as stations or countries, where the rows of each are a recording.
bool is_column_of_names(std::string_view name, std::string_view first_cell) {
  constexpr std::array<std::string_view, 17> kNames{"country", "station", "site", "region", "city",  "state",
                                                    "firm",    "company", "plot", "sensor", "group", "location",
                                                    "unit",    "id",      "name", "code",   "place"};
  const bool is_name = std::find(kNames.begin(), kNames.end(), lower_name(name)) != kNames.end();
  return is_name && !is_missing(first_cell) && !number_in(first_cell, true) && !is_date(first_cell);
}

std::size_t recognised_recording(const datasets::text::CsvReader& reader) {
  const auto& names = reader.columns();
  for (std::size_t c = 0; c < names.size(); ++c)
    if (is_recording_name(names[c])) return c;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (is_column_of_names(names[c], reader.text(c))) return c;
  return kNowhere;
}

WideColumns columns_of_wide(const datasets::text::CsvReader& reader, const std::string& path, bool has_header,
                            const SeriesFileOptions& options) {
  WideColumns columns;
  const auto& names = reader.columns();
  if (!options.recording.empty() && options.recording != kNone) {
    columns.recording = place_of_column(reader, path, options.recording);
  } else if (options.recording.empty()) {
    columns.recording = recognised_recording(reader);
  }
  if (!options.time.empty() && options.time != kNone) {
    columns.time = place_of_column(reader, path, options.time);
    columns.time_is_certain = true;
  } else if (options.time.empty()) {
    find_time(reader, has_header, columns);
  }
  for (const std::string& wanted : options.columns) {
    const std::size_t place = place_of_column(reader, path, wanted);
    if (place == columns.time && !columns.time_is_certain) columns.time = kNowhere;
    if (std::find(columns.series.begin(), columns.series.end(), place) == columns.series.end())
      columns.series.push_back(place);
  }
  if (columns.time != kNowhere && !columns.time_is_certain && !options.columns.empty()) {
    columns.series.insert(columns.series.begin(), columns.time);
    columns.time_is_lent = true;
  }
  if (options.columns.empty())
    for (std::size_t c = 0; c < names.size(); ++c)
      if (c != columns.recording && !columns.is_part_of_time(c) && (c != columns.time || !columns.time_is_certain))
        columns.series.push_back(c);
  if (columns.series.empty() && columns.time == kNowhere)
    throw DataError(concat(path, ": has a column of recordings '", datasets::text::shown_text(names[columns.recording]),
                           "' but no series; each series needs a column."));
  if (columns.series.empty())
    throw DataError(concat(path, ": has a column of times '", datasets::text::shown_text(names[columns.time]),
                           "' but no series; each series needs a column. If it is a series itself, say that there are "
                           "no times (time none)."));
  return columns;
}

/// The times of a column; the first one says whether they are dates or numbers.
class TimeCells {
 public:
  TimeCells(const WideColumns& columns, bool decimal_comma, DayMonth order)
      : columns_(columns), column_(columns.time), decimal_comma_(decimal_comma), order_(order) {}
  TimeKind kind() const { return kind_; }

  double of(const datasets::text::CsvReader& reader) {
    std::string cell(datasets::text::trimmed(reader.text(column_)));
    if (is_missing(cell)) reader.refuse(column_, "the time is missing; give every row one.");
    for (const std::size_t part : {columns_.month, columns_.day})
      if (part != kNowhere) cell += concat('-', two_digits(datasets::text::trimmed(reader.text(part))));
    if (columns_.clock != kNowhere) {
      const std::string clock(datasets::text::trimmed(reader.text(columns_.clock)));
      cell += concat(' ', is_clock(clock) ? clock : two_digits(clock) + ":00");
    }
    const std::optional<double> date = kind_ == TimeKind::number ? std::nullopt : date_of(cell, order_);
    if (date) {
      kind_ = TimeKind::date;
      return *date;
    }
    const bool is_one_column = columns_.clock == kNowhere && columns_.month == kNowhere;
    const auto number = is_one_column ? number_in(cell, decimal_comma_) : std::nullopt;
    if (kind_ == TimeKind::date || !number || !std::isfinite(*number)) refuse(reader, cell);
    kind_ = TimeKind::number;
    return *number;
  }

 private:
  [[noreturn]] void refuse(const datasets::text::CsvReader& reader, const std::string& cell) const {
    const std::string wanted = kind_ == TimeKind::number ? "numbers throughout."
                               : kind_ == TimeKind::date ? "dates as YYYY-MM-DD hh:mm:ss throughout."
                                                         : "dates as YYYY-MM-DD hh:mm:ss, or numbers.";
    const bool is_other = order_ != DayMonth::unknown && is_date(cell);
    reader.refuse(
        column_, concat("'", datasets::text::shown_text(cell), "' is not a time",
                        is_other ? order_ == DayMonth::day_first ? " with the day first" : " with the month first" : "",
                        "; write ", wanted));
  }
  static std::string two_digits(std::string_view cell) { return concat(cell.size() == 1 ? "0" : "", cell); }
  const WideColumns columns_;
  std::size_t column_;
  bool decimal_comma_;
  DayMonth order_;
  TimeKind kind_ = TimeKind::none;
};

/// Names of recordings as numbers, in the order of their first rows.
class RecordingNames {
 public:
  std::uint32_t number_of(std::string_view name) {
    const std::string word(datasets::text::trimmed(name));
    const auto [place, is_new] = numbers_.emplace(word, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(word);
    return place->second;
  }
  std::vector<std::string> taken() { return std::move(names_); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

/// Takes the first column out of the series.
void drop_first(SeriesRows& rows) {
  const std::size_t width = rows.names.size(), count = rows.rows();
  std::size_t to = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 1; c < width; ++c) rows.cells[to++] = rows.cells[i * width + c];
  rows.cells.resize(to);
  rows.names.erase(rows.names.begin());
}

/// The first column was read as a series; if it ascends throughout it holds times.
void take_ascending_times(SeriesRows& rows, const std::string& name) {
  const std::size_t width = rows.names.size(), count = rows.rows();
  if (width < 2 || count < kFewestRows) return;
  for (std::size_t i = 1; i < count; ++i) {
    const bool is_other = !rows.recording.empty() && rows.recording[i] != rows.recording[i - 1];
    if (!is_other && !(rows.cells[i * width] > rows.cells[(i - 1) * width])) return;
  }
  for (std::size_t i = 0; i < count; ++i) rows.times.push_back(rows.cells[i * width]);
  drop_first(rows);
  rows.kind = TimeKind::number;
  rows.time_name = name;
  rows.time_unit = time_name(name).unit;
  if (!time_name(name).is_time)
    rows.notes.push_back(concat("Column '", datasets::text::shown_text(name),
                                "' ascends from row to row and is taken for the times; if it is a "
                                "series, say that there are no times (time none)."));
}

/// Where there are times, a first column 0, 1, 2, ... without a name, or called index, row or the like, says nothing.
void drop_row_numbers(SeriesRows& rows) {
  constexpr std::array<std::string_view, 9> kNames{"", "index", "row", "rows", "#", "nr", "no", "no.", "id"};
  const std::size_t width = rows.names.size(), count = rows.rows();
  if (rows.times.empty() || width < 2 ||
      std::find(kNames.begin(), kNames.end(), lower_name(rows.names[0])) == kNames.end())
    return;
  for (std::size_t i = 1; i < count; ++i)
    if (rows.cells[i * width] != rows.cells[(i - 1) * width] + 1) return;
  rows.notes.push_back(
      concat("Column '", datasets::text::shown_text(rows.names[0]), "' numbers the rows and was left out."));
  drop_first(rows);
}

/// A column without a name gets one.
void name_the_nameless(SeriesRows& rows, const std::vector<std::size_t>& columns) {
  for (std::size_t c = 0; c < rows.names.size(); ++c) {
    if (!rows.names[c].empty()) continue;
    std::string name = concat("column ", columns[c] + 1);
    while (std::find(rows.names.begin(), rows.names.end(), name) != rows.names.end()) name += '*';
    rows.names[c] = std::move(name);
    rows.notes.push_back(concat("Column ", columns[c] + 1, " has no name; it is called '", rows.names[c], "'."));
  }
}

}  // namespace

SeriesRows read_wide(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const SeriesFileOptions& options) {
  SeriesRows rows;
  rows.path = path;
  rows.notes = text.notes;
  RecordingNames recordings;
  WideColumns columns;
  CellNumbers numbers(text);
  std::optional<TimeCells> times;
  DataRows data(reader, text);
  bool is_first = true;
  while (data.next()) {
    if (is_first) {
      columns = columns_of_wide(reader, path, text.csv.header, options);
      if (columns.time != kNowhere && columns.time_is_certain) {
        const TimeStyle style = time_style(reader, path, text, columns.time, options);
        rows.notes.insert(rows.notes.end(), style.notes.begin(), style.notes.end());
        times.emplace(columns, text.decimal_comma, style.order);
      }
    }
    is_first = false;
    rows.lines.push_back(reader.row());
    if (columns.recording != kNowhere) rows.recording.push_back(recordings.number_of(reader.text(columns.recording)));
    if (times) rows.times.push_back(times->of(reader));
    for (const std::size_t c : columns.series) rows.cells.push_back(numbers.at(reader, c));
  }
  if (is_first) throw DataError(concat(path, ": has a header but no rows; each row is one time."));
  for (const std::size_t c : columns.series) rows.names.push_back(reader.columns()[c]);
  rows.recordings = recordings.taken();
  if (times) rows.kind = times->kind();
  for (const auto& notes : {numbers.notes(reader.columns()), data.notes()})
    rows.notes.insert(rows.notes.end(), notes.begin(), notes.end());
  if (columns.recording != kNowhere)
    check_recordings(path, reader.columns()[columns.recording], rows.recordings, rows.lines.size());
  if (columns.time != kNowhere && columns.time_is_certain) {
    rows.time_name = reader.columns()[columns.time];
    rows.time_unit = time_name(rows.time_name).unit;
  } else if (columns.time != kNowhere && columns.series.front() == columns.time) {
    take_ascending_times(rows, reader.columns()[columns.time]);
    if (columns.time_is_lent && rows.times.empty()) drop_first(rows);
    const std::string& name = reader.columns()[columns.time];
    if (!columns.time_is_lent && rows.times.empty() && !name.empty() && time_name(name).is_time)
      rows.notes.push_back(concat("Column '", datasets::text::shown_text(name),
                                  "' does not ascend from row to row: it is read as a series, not as times."));
    if (columns.time_is_lent || !rows.times.empty()) columns.series.erase(columns.series.begin());
  }
  const std::size_t before = rows.names.size();
  drop_row_numbers(rows);
  if (rows.names.size() < before) columns.series.erase(columns.series.begin());
  name_the_nameless(rows, columns.series);
  return rows;
}

}  // namespace fovea::datasets::series
