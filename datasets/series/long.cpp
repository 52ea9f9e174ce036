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
  if (!options.recording.empty()) {
    const auto found = std::find(columns.begin(), columns.end(), options.recording);
    if (found == columns.end()) refuse_column(path, options.recording, columns);
    return static_cast<std::size_t>(found - columns.begin());
  }
  if (const auto group = find_name(columns, kGroupNames)) return group;
  const auto found = std::find_if(columns.begin(), columns.end(), is_recording_name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

/// One value of a long file.
struct LongValue {
  double time = 0, value = 0, error = 0;
  std::size_t line = 0;
};

/// Names in the order in which they come first, as numbers.
struct NameOrder {
  std::vector<std::string> names;
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::size_t number_of(std::string_view name) {
    const auto found = numbers.find(name);
    if (found != numbers.end()) return found->second;
    names.emplace_back(name);
    return numbers.emplace(names.back(), names.size() - 1).first->second;
  }
};

/// The values of each (group, series).
struct LongFile {
  NameOrder groups, series;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<LongValue>> curves;
  TimeKind kind = TimeKind::none;
  bool has_errors = false;
  std::size_t rows = 0;
};

double time_of_long(const datasets::text::CsvReader& reader, std::size_t column, const SeriesText& text,
                    TimeKind& kind) {
  const std::optional<double> date = date_of(reader.text(column));
  if (kind == TimeKind::none) kind = date ? TimeKind::date : TimeKind::number;
  if (kind == TimeKind::date && date) return *date;
  if (kind == TimeKind::date)
    reader.refuse(column, concat("'", datasets::text::shown_text(reader.text(column)),
                                 "' is not a time; write dates as YYYY-MM-DD hh:mm:ss throughout."));
  const double time = cell_number(reader, column, text.decimal_comma);
  if (std::isnan(time)) reader.refuse(column, "the time is missing; give every row one.");
  return time;
}

double error_of_long(const datasets::text::CsvReader& reader, std::size_t column, const SeriesText& text) {
  const double error = cell_number(reader, column, text.decimal_comma);
  if (error < 0)
    reader.refuse(column,
                  concat("the error is ", error, "; a standard error must be >= 0, or empty where none is known."));
  return std::isnan(error) ? 0 : error;
}

LongFile rows_of_long(datasets::text::CsvReader& reader, const SeriesText& text, const LongColumns& columns) {
  LongFile file;
  if (!columns.group) file.groups.number_of("");
  while (reader.next()) {
    const std::string_view name = datasets::text::trimmed(reader.text(columns.series));
    if (name.empty()) reader.refuse(columns.series, "the name of the series is missing; give every row one.");
    LongValue value;
    value.time = time_of_long(reader, columns.time, text, file.kind);
    value.value = cell_number(reader, columns.value, text.decimal_comma);
    if (columns.error) value.error = error_of_long(reader, *columns.error, text);
    value.line = reader.row();
    ++file.rows;
    file.has_errors = file.has_errors || value.error > 0;
    const std::size_t group =
        columns.group ? file.groups.number_of(datasets::text::trimmed(reader.text(*columns.group))) : 0;
    if (!std::isnan(value.value)) file.curves[{group, file.series.number_of(name)}].push_back(value);
  }
  return file;
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
        rows.cells[static_cast<std::size_t>(place - rows.times.begin()) * width + s] = value.value;
      }
    }
    if (file.groups.names.size() > 1) rows.recording.resize(rows.times.size(), static_cast<std::uint32_t>(group));
    if (2 * values_in_all < rows.cells.size()) return std::nullopt;
  }
  if (file.groups.names.size() > 1) rows.recordings = file.groups.names;
  return rows;
}

bool is_even(const SeriesRows& rows) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 1; i < rows.recording.size(); ++i)
    if (rows.recording[i] != rows.recording[i - 1]) starts.push_back(i);
  return even_steps(rows.times, starts, rows.kind, rows.time_unit).has_value();
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

}  // namespace

std::optional<LongColumns> long_columns(const datasets::text::CsvReader& reader, const SeriesFileOptions& options) {
  const auto& names = reader.columns();
  const auto series = find_name(names, kSeriesNames), value = find_name(names, kValueNames);
  std::optional<std::size_t> time;
  for (std::size_t c = 0; c < names.size() && !time; ++c)
    if (options.time.empty() ? time_name(names[c]).certain : names[c] == options.time) time = c;
  if (!series || !value || !time) return std::nullopt;
  return LongColumns{*series, *time, *value, find_name(names, kErrorNames), std::nullopt};
}

SeriesFile read_long(datasets::text::CsvReader& reader, const std::string& path, const SeriesText& text,
                     const LongColumns& found, const SeriesFileOptions& options) {
  LongColumns columns = found;
  columns.group = find_group(reader.columns(), path, options);
  LongFile file = rows_of_long(reader, text, columns);
  if (file.curves.empty()) throw DataError(concat(path, ": has a header but no values; each row is one value."));
  if (columns.group) check_recordings(path, reader.columns()[*columns.group], file.groups.names, file.rows);
  keep_asked(file, path, options.columns);
  std::vector<std::string> notes = text.notes;
  notes.push_back(long_sentence(file, columns.group ? reader.columns()[*columns.group] : ""));
  if (!sort_values(file)) notes.push_back("The rows were put in the order of their times.");
  const std::string& time = reader.columns()[columns.time];
  auto rows = file.has_errors ? std::nullopt : as_table(file);
  if (!rows) return curves_file(file, std::move(notes), time);
  rows->path = path;
  rows->time_name = time;
  rows->time_unit = time_name(time).unit;
  if (!is_even(*rows)) return curves_file(file, std::move(notes), time);
  rows->notes = std::move(notes);
  return finished(std::move(*rows));
}

}  // namespace fovea::datasets::series
