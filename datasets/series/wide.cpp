#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// Which column is what.
struct WideColumns {
  std::size_t time = kNowhere, recording = kNowhere;
  bool time_is_certain = false;  ///< otherwise its values must ascend
  bool time_is_lent = false;     ///< the first of the series is there only because it may hold times
  std::vector<std::size_t> series;
};

std::size_t place_of_column(const datasets::text::CsvReader& reader, const std::string& path, const std::string& name) {
  const auto& columns = reader.columns();
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) refuse_column(path, name, columns);
  return static_cast<std::size_t>(found - columns.begin());
}

bool is_date_cell(std::string_view cell) { return date_of(cell).has_value(); }

/// The column of times by its name; failing that the first, if its first cell is a date, or perhaps if a number.
void find_time(const datasets::text::CsvReader& reader, bool has_header, WideColumns& columns) {
  const auto& names = reader.columns();
  for (std::size_t c = 0; c < names.size() && has_header; ++c) {
    const TimeName name = time_name(names[c]);
    if (!name.is_time || c == columns.recording || (!name.certain && c > 0)) continue;
    columns.time = c;
    columns.time_is_certain = name.certain;
    if (name.certain) return;
  }
  if (columns.time == kNowhere && columns.recording != 0) columns.time = 0;
  if (columns.time != kNowhere && is_date_cell(reader.text(columns.time))) columns.time_is_certain = true;
}

WideColumns columns_of_wide(const datasets::text::CsvReader& reader, const std::string& path, bool has_header,
                            const SeriesFileOptions& options) {
  WideColumns columns;
  const auto& names = reader.columns();
  if (!options.recording.empty() && options.recording != kNone) {
    columns.recording = place_of_column(reader, path, options.recording);
  } else if (options.recording.empty()) {
    const auto found = std::find_if(names.begin(), names.end(), is_recording_name);
    if (found != names.end()) columns.recording = static_cast<std::size_t>(found - names.begin());
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
      if (c != columns.recording && (c != columns.time || !columns.time_is_certain)) columns.series.push_back(c);
  if (columns.series.empty() && columns.time == kNowhere)
    throw DataError(concat(path, ": has a column of recordings '", datasets::text::shown_text(names[columns.recording]),
                           "' but no series; each series needs a column."));
  if (columns.series.empty())
    throw DataError(concat(path, ": has a column of times '", datasets::text::shown_text(names[columns.time]),
                           "' but no series; each series needs a column. If it is a series itself, say that there are "
                           "no times (time none)."));
  return columns;
}

/// The time in a cell; the first one says whether times are dates or numbers.
double time_in(const datasets::text::CsvReader& reader, std::size_t column, bool decimal_comma, TimeKind& kind) {
  const std::string_view cell = reader.text(column);
  if (is_missing(cell)) reader.refuse(column, "the time is missing; give every row one.");
  const std::optional<double> date = kind == TimeKind::number ? std::nullopt : date_of(cell);
  if (date) {
    kind = TimeKind::date;
    return *date;
  }
  std::string copy(datasets::text::trimmed(cell));
  if (decimal_comma) std::replace(copy.begin(), copy.end(), ',', '.');
  double value = 0;
  const auto [stop, error] = std::from_chars(copy.data(), copy.data() + copy.size(), value);
  const bool is_number = error == std::errc() && stop == copy.data() + copy.size() && std::isfinite(value);
  if (kind == TimeKind::date || !is_number)
    reader.refuse(column, concat("'", datasets::text::shown_text(copy), "' is not a time; write ",
                                 kind == TimeKind::number ? "numbers throughout." : "dates as YYYY-MM-DD hh:mm:ss",
                                 kind == TimeKind::none   ? ", or numbers."
                                 : kind == TimeKind::date ? " throughout."
                                                          : ""));
  kind = TimeKind::number;
  return value;
}

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
  bool is_first = true;
  while (reader.next()) {
    if (is_first) columns = columns_of_wide(reader, path, text.csv.header, options);
    is_first = false;
    rows.lines.push_back(reader.row());
    if (columns.recording != kNowhere) rows.recording.push_back(recordings.number_of(reader.text(columns.recording)));
    if (columns.time != kNowhere && columns.time_is_certain)
      rows.times.push_back(time_in(reader, columns.time, text.decimal_comma, rows.kind));
    for (const std::size_t c : columns.series) rows.cells.push_back(cell_number(reader, c, text.decimal_comma));
  }
  if (is_first) throw DataError(concat(path, ": has a header but no rows; each row is one time."));
  for (const std::size_t c : columns.series) rows.names.push_back(reader.columns()[c]);
  rows.recordings = recordings.taken();
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
  name_the_nameless(rows, columns.series);
  return rows;
}

}  // namespace fovea::datasets::series
