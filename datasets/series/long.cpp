#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/missing_marks.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::array<std::string_view, 5> kSeriesNames{"series", "variable", "channel", "band", "filter"};
constexpr std::array<std::string_view, 5> kValueNames{"y", "value", "flux", "mag", "magnitude"};
constexpr std::array<std::string_view, 9> kErrorNames{"dy",   "error",    "err",     "sigma",    "y_err",
                                                      "yerr", "flux_err", "mag_err", "value_err"};
constexpr std::array<std::string_view, 5> kGroupNames{"pair", "object", "star", "source", "group"};

std::optional<std::size_t> find_name(const std::vector<std::string>& columns, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (lower_name(columns[c]) == name) return c;
  return std::nullopt;
}

std::optional<std::size_t> find_group(const std::vector<std::string>& columns, const std::string& path,
                                      const SeriesFileOptions& options) {
  if (options.recording == "none") return std::nullopt;
  if (!options.recording.empty()) return place_of_column(path, options.recording, columns);
  if (const auto group = find_name(columns, kGroupNames)) return group;
  const auto found = std::find_if(columns.begin(), columns.end(), is_recording_name);
  if (found == columns.end()) return std::nullopt;
  return found - columns.begin();
}

/// One value of a long file.
struct LongValue {
  double time = 0, value = 0, error = 0;
  std::size_t line = 0;
};

/// The values of each (group, series).
struct LongFile {
  NameOrder groups, series;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<LongValue>> curves;
  TimeKind kind = TimeKind::none;
  bool has_errors = false;
  std::size_t rows = 0;
  std::vector<std::string> notes;  ///< on how cells were read
};

double time_of_long(const datasets::text::CsvReader& reader, std::size_t column, const SeriesText& text, DayMonth order,
                    TimeKind& kind) {
  const std::string_view cell = reader.text(column);
  const std::optional<double> date = date_of(cell, order);
  if (kind == TimeKind::none) kind = date ? TimeKind::date : TimeKind::number;
  if (kind == TimeKind::date && date) return *date;
  if (kind == TimeKind::date || is_date(cell))
    reader.refuse(column, concat("'", datasets::text::shown_text(cell),
                                 "' is not a time; write dates as YYYY-MM-DD hh:mm:ss throughout."));
  if (is_missing(cell)) reader.refuse(column, "the time is missing; give every row one.");
  return CellNumbers(text).at(reader, column);
}

double error_of_long(const datasets::text::CsvReader& reader, std::size_t column, CellNumbers& numbers) {
  const double error = numbers.at(reader, column);
  if (error < 0)
    reader.refuse(column,
                  concat("the error is ", error, "; a standard error must be >= 0, or empty where none is known."));
  return std::isnan(error) ? 0 : error;
}

LongFile rows_of_long(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                      const LongColumns& columns, const SeriesFileOptions& options) {
  LongFile file;
  if (!columns.group) file.groups.number_of("");
  const std::vector<double> marks = missing_marks(path, options);
  CellNumbers numbers(text);
  std::optional<TimeStyle> style;
  DataRows data(reader, text);
  while (data.next()) {
    if (!style) style = time_style(reader, path, text, columns.time, options);
    const std::string_view name = datasets::text::trimmed(reader.text(columns.series));
    if (name.empty()) reader.refuse(columns.series, "the name of the series is missing; give every row one.");
    LongValue value;
    value.time = time_of_long(reader, columns.time, text, style->order, file.kind);
    value.value = numbers.at(reader, columns.value);
    if (columns.error) value.error = error_of_long(reader, *columns.error, numbers);
    value.line = reader.row();
    ++file.rows;
    file.has_errors = file.has_errors || value.error > 0;
    const std::size_t group =
        columns.group ? file.groups.number_of(datasets::text::trimmed(reader.text(*columns.group))) : 0;
    const bool is_marked = std::find(marks.begin(), marks.end(), value.value) != marks.end();
    if (!std::isnan(value.value) && !is_marked) file.curves[{group, file.series.number_of(name)}].push_back(value);
  }
  if (style) file.notes = style->notes;
  for (const auto& notes : {numbers.notes(reader.columns()), data.notes()})
    file.notes.insert(file.notes.end(), notes.begin(), notes.end());
  return file;
}

/// Rows that repeat another of the same series, time and value.
void drop_repeated_values(LongFile& file) {
  std::size_t dropped = 0;
  for (auto& [place, values] : file.curves) {
    const auto last = std::unique(values.begin(), values.end(), [](const LongValue& a, const LongValue& b) {
      return a.time == b.time && a.value == b.value && a.error == b.error;
    });
    dropped += values.end() - last;
    values.erase(last, values.end());
  }
  if (dropped > 0)
    file.notes.push_back(concat(counted(static_cast<Index>(dropped), "row"), dropped == 1 ? " repeats" : " repeat",
                                " another and ", dropped == 1 ? "was" : "were", " left out."));
}

void refuse_suspected_marks(const LongFile& file, const std::string& path, const SeriesFileOptions& options) {
  for (std::size_t s = 0; s < file.series.names.size(); ++s) {
    std::vector<double> all;
    for (const auto& [place, values] : file.curves)
      if (place.second == s)
        for (const LongValue& value : values) all.push_back(value.value);
    refuse_suspected_mark(path, file.series.names[s], all, options);
  }
}

/// By time; says whether they were not.
bool sort_values(LongFile& file) {
  bool sorted = true;
  const auto earlier = [](const LongValue& a, const LongValue& b) { return a.time < b.time; };
  for (auto& [place, values] : file.curves) {
    if (std::is_sorted(values.begin(), values.end(), earlier)) continue;
    sorted = false;
    std::stable_sort(values.begin(), values.end(), earlier);
  }
  return sorted;
}

bool has_equal_times(const LongFile& file) {
  for (const auto& [place, values] : file.curves)
    for (std::size_t i = 1; i < values.size(); ++i)
      if (values[i].time == values[i - 1].time) return true;
  return false;
}

/// Words beside times that are all different are remarks on the rows, not names of series.
bool has_a_time_twice(const LongFile& file) {
  std::set<double> times;
  std::size_t values = 0;
  for (const auto& [place, curve] : file.curves)
    for (const LongValue& value : curve) times.insert(value.time), ++values;
  return times.size() < values;
}

/// All values as rows of a table, a stretch for each group: worth trying where series share most of their times.
std::optional<SeriesRows> as_table(const LongFile& file) {
  if (file.series.names.size() > kMostColumns || has_equal_times(file)) return std::nullopt;
  const std::size_t width = file.series.names.size();
  SeriesRows rows;
  rows.names = file.series.names;
  rows.kind = file.kind;
  std::size_t values_in_all = 0;
  for (std::size_t group = 0; group < file.groups.names.size(); ++group) {
    std::set<double> times;
    for (std::size_t s = 0; s < width; ++s)
      if (const auto found = file.curves.find({group, s}); found != file.curves.end())
        for (const LongValue& value : found->second) times.insert(value.time);
    const std::size_t first = rows.times.size();
    rows.times.insert(rows.times.end(), times.begin(), times.end());
    rows.cells.resize(rows.times.size() * width, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t s = 0; s < width; ++s) {
      const auto found = file.curves.find({group, s});
      if (found == file.curves.end()) continue;
      values_in_all += found->second.size();
      for (const LongValue& value : found->second) {
        const auto place =
            std::lower_bound(rows.times.begin() + static_cast<std::ptrdiff_t>(first), rows.times.end(), value.time);
        rows.cells[(place - rows.times.begin()) * width + s] = value.value;
      }
    }
    if (file.groups.names.size() > 1) rows.recording.resize(rows.times.size(), static_cast<std::uint32_t>(group));
    if (2 * values_in_all < rows.cells.size()) return std::nullopt;
  }
  if (file.groups.names.size() > 1) rows.recordings = file.groups.names;
  return rows;
}

std::vector<CurveGroup> as_curves(const LongFile& file) {
  std::vector<CurveGroup> groups(file.groups.names.size());
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].name = file.groups.names[g];
  for (const auto& [place, values] : file.curves) {
    Curve curve;
    curve.name = file.series.names[place.second];
    for (const LongValue& value : values) {
      curve.time.push_back(value.time);
      curve.value.push_back(value.value);
      curve.error.push_back(value.error);
    }
    groups[place.first].curves.push_back(std::move(curve));
  }
  std::erase_if(groups, [](const CurveGroup& group) { return group.curves.empty(); });
  return groups;
}

/// Only the series that were asked for.
void keep_asked(LongFile& file, const std::string& path, const std::vector<std::string>& asked) {
  if (asked.empty()) return;
  NameOrder kept;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<LongValue>> curves;
  for (const std::string& name : asked) {
    const auto found = file.series.numbers.find(name);
    if (found == file.series.numbers.end()) refuse_column(path, name, file.series.names);
    const std::size_t to = kept.number_of(name);
    for (std::size_t g = 0; g < file.groups.names.size(); ++g)
      if (const auto curve = file.curves.find({g, found->second}); curve != file.curves.end())
        curves[{g, to}] = curve->second;
  }
  file.series = std::move(kept);
  file.curves = std::move(curves);
}

std::string long_sentence(const LongFile& file, const std::string& group_column) {
  std::size_t values = 0;
  for (const auto& [place, curve] : file.curves) values += curve.size();
  return concat("Long format: ", counted(static_cast<Index>(values), "value"), " of ", file.series.names.size(),
                " series (", listed(file.series.names), ")",
                group_column.empty() ? ""
                                     : concat(" in ", counted(std::ssize(file.groups.names), "group"), " ('",
                                              datasets::text::shown_text(group_column), "')"),
                ".");
}

SeriesFile curves_file(const LongFile& file, std::vector<std::string> notes, const std::string& time_name) {
  notes.push_back(file.has_errors ? concat("Times are those of column '", datasets::text::shown_text(time_name),
                                           "'; values have standard errors: curves.")
                                  : concat("Times are those of column '", datasets::text::shown_text(time_name),
                                           "' and unevenly spaced."));
  SeriesFile result;
  result.groups = as_curves(file);
  result.notes = std::move(notes);
  return result;
}

/// Times, names and numbers: "date,station,flow". Names may be numbers where the column says so, else they are words.
std::optional<LongColumns> three_columns(const datasets::text::CsvReader& reader, const std::string& path,
                                         const SeriesText& text, std::size_t time, const SeriesFileOptions& options) {
  constexpr std::array<std::string_view, 14> kNames{"station", "site",  "sensor", "location", "name",
                                                    "id",      "place", "gauge",  "region",   "country",
                                                    "city",    "asset", "code",   "parameter"};
  const auto& names = reader.columns();
  if (names.size() != 3 || !options.recording.empty() || !options.columns.empty()) return std::nullopt;
  LongColumns columns{0, time, 0, std::nullopt, std::nullopt};
  if (const auto series = find_name(names, kNames); series && *series != time) {
    columns.series = *series;
  } else {
    datasets::text::CsvReader again(path, text.csv);
    DataRows rows(again, text);
    const bool has_row = rows.next();
    for (std::size_t c = 0; c < 3 && has_row && !columns.by_words; ++c)
      if (c != time && is_word(again.text(c)) && !is_recording_name(names[c]))
        columns.by_words = true, columns.series = c;
    if (!columns.by_words) return std::nullopt;
  }
  columns.value = 3 - columns.series - time;
  return columns;
}

}  // namespace

std::optional<LongColumns> long_columns(const datasets::text::CsvReader& reader, const std::string& path,
                                        const SeriesText& text, const SeriesFileOptions& options) {
  const auto& names = reader.columns();
  const auto series = find_name(names, kSeriesNames), value = find_name(names, kValueNames);
  std::optional<std::size_t> time;
  for (std::size_t c = 0; c < names.size() && !time; ++c)
    if (options.time.empty() ? time_name(names[c]).certain : names[c] == options.time) time = c;
  if (!time) return std::nullopt;
  if (series && value) return LongColumns{*series, *time, *value, find_name(names, kErrorNames), std::nullopt};
  return three_columns(reader, path, text, *time, options);
}

SeriesFile read_long(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const LongColumns& found, const SeriesFileOptions& options) {
  LongColumns columns = found;
  columns.group = find_group(reader.columns(), path, options);
  LongFile file = rows_of_long(reader, path, text, columns, options);
  if (file.curves.empty()) throw DataError(concat(path, ": has a header but no values; each row is one value."));
  if (columns.group) check_recordings(path, reader.columns()[*columns.group], file.groups.names, file.rows);
  if (columns.by_words && !has_a_time_twice(file))
    refuse_words(path, reader.columns()[columns.series], file.series.names);
  keep_asked(file, path, options.columns);
  const bool sorted = sort_values(file);
  drop_repeated_values(file);
  refuse_suspected_marks(file, path, options);
  std::vector<std::string> notes = text.notes;
  notes.insert(notes.end(), file.notes.begin(), file.notes.end());
  notes.push_back(long_sentence(file, columns.group ? reader.columns()[*columns.group] : ""));
  if (!sorted) notes.push_back("The rows were put in the order of their times.");
  const std::string& time = reader.columns()[columns.time];
  auto rows = file.has_errors ? std::nullopt : as_table(file);
  if (!rows) return curves_file(file, std::move(notes), time);
  rows->path = path;
  rows->time_name = time;
  rows->time_unit = time_name(time).unit;
  read_numbers_as_dates(*rows);
  if (!even_steps(rows->times, rows->stretches(), rows->kind, rows->time_unit))
    return curves_file(file, std::move(notes), time);
  rows->notes.insert(rows->notes.begin(), notes.begin(), notes.end());
  return finished(std::move(*rows), options);
}

}  // namespace fovea::datasets::series
