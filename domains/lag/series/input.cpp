#include "fovea/domains/lag/series/input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::lag::series {

Keys<SeriesAsked> series_keys(const std::string& sample) {
  using Options = datasets::series::SeriesFileOptions;
  const auto option = [](auto member) { return inside(&SeriesAsked::options, member); };
  return Keys<SeriesAsked>()
      .file(kFile, &SeriesAsked::file, kFile.meaning + sample)
      .key(kTime, option(&Options::time))
      .key(kRecording, option(&Options::recording))
      .key(kColumns, option(&Options::columns))
      .choice(kDates, option(&Options::dates))
      .added_later()
      .key(kMissing, option(&Options::missing))
      .added_later()
      .choice(kTotals, option(&Options::totals))
      .added_later();
}

Inputs open_series(const Config& config) {
  static const Keys<SeriesAsked> keys = series_keys("");
  const SeriesAsked asked = keys.read(config);
  return asked.made() ? Inputs{} : as_inputs(datasets::series::read_series(asked.file, asked.options));
}

std::shared_ptr<const datasets::series::SeriesFile> opened_series(const Inputs& inputs) {
  require(!inputs.empty(), "lag: data.file was not opened; give run() what open() returns.");
  return inputs.as<datasets::series::SeriesFile>();
}

std::map<std::string, ConfigValue> values_of_keys(const std::string& path,
                                                  const datasets::series::SeriesFileOptions& options) {
  namespace fs = std::filesystem;
  const fs::path whole = fs::absolute(path);
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(whole.parent_path(), error);
  return {{kFile.name, (error ? whole : folder / whole.filename()).string()},
          {kTime.name, options.time},
          {kRecording.name, options.recording},
          {kColumns.name, options.columns},
          {kDates.name, options.dates},
          {kMissing.name, options.missing},
          {kTotals.name, options.totals}};
}

void refuse_uneven(const SeriesAsked& asked, const datasets::series::SeriesFile& file) {
  if (file.irregular())
    throw DataError(concat(asked.file, ": its times are unevenly spaced (", file.notes.back(),
                           "); use lag.pair instead, as fovea lags does automatically."));
}

std::shared_ptr<const datasets::series::SeriesTable> table_of(const SeriesAsked& asked, bool difference, Inputs inputs,
                                                              std::vector<std::string>& notes) {
  const std::shared_ptr<const datasets::series::SeriesFile> file = opened_series(inputs);
  refuse_uneven(asked, *file);
  std::shared_ptr<const datasets::series::SeriesTable> table(file, &file->table);
  if (difference) table = std::make_shared<const datasets::series::SeriesTable>(differences(file->table));
  if (difference) notes.push_back("The series are differences from step to step.");
  notes.insert(notes.end(), file->notes.begin(), file->notes.end());
  return table;
}

datasets::series::SeriesTable differences(const datasets::series::SeriesTable& table) {
  datasets::series::SeriesTable changes = table;
  changes.recording_starts.clear();
  Index to = 0;
  for (std::size_t r = 0; r < table.recording_starts.size(); ++r) {
    const Index first = table.recording_starts[r];
    const Index end = r + 1 < table.recording_starts.size() ? table.recording_starts[r + 1] : table.steps();
    if (end - first < 2) continue;
    changes.recording_starts.push_back(to);
    changes.values.middleRows(to, end - first - 1) =
        table.values.middleRows(first + 1, end - first - 1) - table.values.middleRows(first, end - first - 1);
    for (const Index s : table.increments)  // are differences already
      changes.values.col(s).segment(to, end - first - 1) = table.values.col(s).segment(first + 1, end - first - 1);
    to += end - first - 1;
  }
  changes.values.conservativeResize(to, Eigen::NoChange);
  return changes;
}

MayWander may_wander(const datasets::series::SeriesTable& table, bool of_line) {
  const std::vector<std::string> walks = possible_random_walks(table, of_line);
  return {walks.size(), walks.empty() ? "" : datasets::series::listed(walks)};
}

std::vector<std::string> possible_random_walks(const datasets::series::SeriesTable& table, bool of_line) {
  // Of one mean; of as many as there are recordings, which are taken out: Levin & Lin (1992), 5 %.
  const auto recordings = static_cast<double>(table.recording_starts.size());
  const double ruled_out =
      recordings < 2 ? (of_line ? -21.8 : -14.1) : -3 * recordings - 1.645 * std::sqrt(10.2 * recordings);
  std::vector<std::string> names;
  for (Index s = 0; s < table.series(); ++s) {
    double n = 0, x = 0, y = 0, spread = 0, together = 0, xx = 0, xy = 0, inside = 0;
    const auto close = [&] {  // the sums about the means of one recording
      if (inside > 0) n += inside, spread += xx - x * x / inside, together += xy - x * y / inside;
      inside = x = y = xx = xy = 0;
    };
    std::size_t next = 0;
    double before = kNan, start = kNan;  // values from the first known one: sums of squares lose fewer digits
    for (Index t = 0; t < table.steps(); ++t) {
      if (next < table.recording_starts.size() && table.recording_starts[next] == t) before = kNan, ++next, close();
      if (std::isnan(start)) start = table.values(t, s);
      const double now = table.values(t, s) - start;
      if (!std::isnan(before) && !std::isnan(now))
        inside += 1, x += before, y += now, xx += before * before, xy += before * now;
      before = now;
    }
    close();
    if (n >= 20 && spread > 0 && n * (together / spread - 1) > ruled_out) names.push_back(table.names[s]);
  }
  return names;
}

std::vector<Index> places_of(const std::vector<std::string>& names, const datasets::series::SeriesTable& table,
                             const std::string& file) {
  std::vector<Index> places;
  for (const std::string& name : names) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    if (found == table.names.end()) {
      const std::string close = nearest(name, table.names);
      throw DataError(concat(file, ": has no series '", datasets::text::shown_text(name), "' that changes; ",
                             close.empty() ? "there are: " + datasets::series::listed(table.names) + "."
                                           : "did you mean '" + datasets::text::shown_text(close) + "'?"));
    }
    places.push_back(static_cast<Index>(found - table.names.begin()));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string unit_in_name(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || name.back() != ']') return "";
  return name.substr(open + 1, name.size() - open - 2);
}

std::string lag_unit(const datasets::series::SeriesTable& table) {
  return table.time_unit.empty() ? "steps" : table.time_unit;
}

double lag_time(const datasets::series::SeriesTable& table, Index lag) {
  return static_cast<double>(lag) * (table.time_unit.empty() ? 1 : table.step);
}

std::string lag_text(const datasets::series::SeriesTable& table, Index lag) {
  return datasets::series::time_text(lag_time(table, lag), table.time_unit);
}

}  // namespace fovea::lag::series
