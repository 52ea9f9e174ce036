#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

/// The numbers of a variable; nothing for text.
std::optional<std::vector<double>> numbers_of(const Variable& variable) {
  return std::visit(
      [](const auto& values) -> std::optional<std::vector<double>> {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>) {
          return std::nullopt;
        } else {
          std::vector<double> numbers;
          for (const auto value : values) numbers.push_back(static_cast<double>(value));
          return numbers;
        }
      },
      variable.values);
}

std::vector<std::string> words_of(const Variable& variable) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&variable.values)) return *texts;
  std::vector<std::string> words;
  const std::vector<double> numbers = *numbers_of(variable);
  for (const double number : numbers) words.push_back(concat(number));
  return words;
}

/// The dimension along which time goes: that of the column asked for; one with a name of times; the first of a matrix;
/// that of the first list.
std::string time_dimension(const Dataset& data, const std::string& path, const std::string& asked) {
  if (!asked.empty() && asked != "none") {
    std::vector<std::string> names;
    for (const Variable& variable : data.variables()) names.push_back(variable.name);
    if (!data.has(asked) || data.at(asked).dimensions.size() != 1) refuse_column(path, asked, names);
    return data.at(asked).dimensions[0];
  }
  for (const Dimension& dimension : data.dimensions())
    if (time_name(dimension.name).is_time) return dimension.name;
  for (const std::size_t rank : {std::size_t{2}, std::size_t{1}})
    for (const Variable& variable : data.variables())
      if (variable.dimensions.size() == rank && !data.is_coordinate(variable) && numbers_of(variable))
        return variable.dimensions[0];
  throw DataError(concat(path, ": has no array of numbers with one or two dimensions (times, or times x series)."));
}

/// Series found in the file, one after the other.
struct ArrayColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  std::vector<std::string> passed_over;
};

void add_matrix(const Dataset& data, const Variable& variable, const std::string& time, bool alone,
                ArrayColumns& columns) {
  const bool times_first = variable.dimensions[0] == time;
  const std::string& other = variable.dimensions[times_first ? 1 : 0];
  const std::size_t width = data.size_of(other), steps = data.size_of(time);
  const std::vector<double> numbers = *numbers_of(variable);
  std::vector<std::string> names;
  if (data.has(other) && data.is_coordinate(data.at(other))) names = words_of(data.at(other));
  for (std::size_t c = 0; c < width; ++c) {
    const std::string name = names.empty() ? concat(alone ? "x" : "", c + 1) : names[c];
    columns.names.push_back(alone ? name : variable.name + "[" + name + "]");
    std::vector<double>& values = columns.values.emplace_back(steps);
    for (std::size_t i = 0; i < steps; ++i) values[i] = numbers[times_first ? i * width + c : c * steps + i];
  }
}

ArrayColumns columns_of_file(const Dataset& data, const std::string& time, const SeriesFileOptions& options) {
  ArrayColumns columns;
  const auto has_time = [&](const Variable& variable) {
    return std::count(variable.dimensions.begin(), variable.dimensions.end(), time) == 1;
  };
  const auto arrays = std::count_if(data.variables().begin(), data.variables().end(), [&](const Variable& variable) {
    return has_time(variable) && !data.is_coordinate(variable) && numbers_of(variable);
  });
  for (const Variable& variable : data.variables()) {
    if (data.is_coordinate(variable) || variable.name == options.time) continue;
    if (variable.name == options.recording || (options.recording.empty() && is_recording_name(variable.name))) continue;
    const std::size_t rank = variable.dimensions.size();
    if (!has_time(variable) || rank > 2 || !numbers_of(variable)) {
      columns.passed_over.push_back(variable.name);
    } else if (rank == 1) {
      columns.names.push_back(variable.name);
      columns.values.push_back(*numbers_of(variable));
    } else {
      add_matrix(data, variable, time, arrays == 1, columns);
    }
  }
  return columns;
}

void keep_asked_columns(ArrayColumns& columns, const std::string& path, const std::vector<std::string>& asked) {
  if (asked.empty()) return;
  ArrayColumns kept;
  for (const std::string& name : asked) {
    const auto found = std::find(columns.names.begin(), columns.names.end(), name);
    if (found == columns.names.end()) refuse_column(path, name, columns.names);
    if (std::find(kept.names.begin(), kept.names.end(), name) != kept.names.end()) continue;
    kept.names.push_back(name);
    kept.values.push_back(columns.values[found - columns.names.begin()]);
  }
  kept.passed_over = std::move(columns.passed_over);
  columns = std::move(kept);
}

void refuse_infinite(const SeriesRows& rows) {
  for (std::size_t i = 0; i < rows.cells.size(); ++i)
    if (std::isinf(rows.cells[i]))
      throw DataError(concat(rows.place_of(i / rows.names.size()), ", column '",
                             datasets::text::shown_text(rows.names[i % rows.names.size()]), "': is ", rows.cells[i],
                             "; a value must be finite, or NaN where none is known."));
}

void add_times(const Dataset& data, const std::string& dimension, const SeriesFileOptions& options, SeriesRows& rows) {
  if (options.time == "none") return;
  const std::string name = options.time.empty() ? dimension : options.time;
  if (!data.has(name)) return;
  const Variable& variable = data.at(name);
  rows.time_name = name;
  if (const auto numbers = numbers_of(variable)) {
    rows.kind = TimeKind::number;
    rows.times = *numbers;
    const std::string unit = variable.units.substr(0, variable.units.find(' '));
    rows.time_unit = unit == "1" ? "" : unit.empty() ? time_name(name).unit : unit;
  } else {
    rows.kind = TimeKind::date;
    for (const std::string& word : words_of(variable)) {
      const auto date = date_of(word);
      if (!date)
        throw DataError(concat(rows.place_of(rows.times.size()), ", column '", datasets::text::shown_text(name), "': '",
                               datasets::text::shown_text(word),
                               "' is not a time; write dates as YYYY-MM-DD hh:mm:ss, or numbers."));
      rows.times.push_back(*date);
    }
  }
  for (std::size_t i = 0; i < rows.times.size(); ++i)
    if (!std::isfinite(rows.times[i]))
      throw DataError(concat(rows.place_of(i), ", column '", datasets::text::shown_text(name),
                             "': the time is missing; give every row one."));
}

void add_recordings(const Dataset& data, const std::string& dimension, const SeriesFileOptions& options,
                    SeriesRows& rows) {
  if (options.recording == "none") return;
  for (const Variable& variable : data.variables()) {
    const bool is_it =
        options.recording.empty() ? is_recording_name(variable.name) : variable.name == options.recording;
    if (!is_it || variable.dimensions != std::vector<std::string>{dimension}) continue;
    std::map<std::string, std::uint32_t> numbers;
    for (const std::string& word : words_of(variable)) {
      const auto [place, is_new] = numbers.emplace(word, static_cast<std::uint32_t>(numbers.size()));
      if (is_new) rows.recordings.push_back(word);
      rows.recording.push_back(place->second);
    }
    check_recordings(rows.path, variable.name, rows.recordings, rows.recording.size());
    return;
  }
  if (!options.recording.empty())
    throw DataError(concat(rows.path, ": has no array '", datasets::text::shown_text(options.recording),
                           "' with one value for each row."));
}

}  // namespace

SeriesRows read_hdf5_series(const std::string& path, const SeriesFileOptions& options) {
  const Dataset data = read_dataset(path);
  SeriesRows rows;
  rows.path = path;
  const std::string dimension = time_dimension(data, path, options.time);
  ArrayColumns columns = columns_of_file(data, dimension, options);
  keep_asked_columns(columns, path, options.columns);
  if (columns.names.empty())
    throw DataError(
        concat(path, ": has no array of numbers along '", datasets::text::shown_text(dimension), "' but its times."));
  if (columns.names.size() > kMostColumns)
    throw DataError(concat(path, ": has ", columns.names.size(), " series, but at most ", kMostColumns,
                           " are read. Rows are times and columns are series: is the table on its side?"));
  for (const std::string& name : columns.names)
    if (std::count(columns.names.begin(), columns.names.end(), name) > 1)
      throw DataError(concat(path, ": has two series '", datasets::text::shown_text(name), "'; rename one."));
  const std::size_t steps = data.size_of(dimension), width = columns.names.size();
  rows.names = columns.names;
  rows.cells.resize(steps * width);
  for (std::size_t c = 0; c < width; ++c)
    for (std::size_t i = 0; i < steps; ++i) rows.cells[i * width + c] = columns.values[c][i];
  refuse_infinite(rows);
  add_times(data, dimension, options, rows);
  add_recordings(data, dimension, options, rows);
  rows.notes.push_back(
      concat("Time goes along the dimension '", datasets::text::shown_text(dimension), "' of the file."));
  if (!columns.passed_over.empty())
    rows.notes.push_back("Passed over, as they are no numbers along it: " + listed(columns.passed_over) + ".");
  return rows;
}

}  // namespace fovea::datasets::series
