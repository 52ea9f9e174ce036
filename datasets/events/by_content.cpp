#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/events/archive.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/events/challenge.hpp"
#include "fovea/datasets/events/columns.hpp"
#include "fovea/datasets/events/read.hpp"

namespace fovea::datasets::events {

namespace {

/// The first file of a folder that looks like a table; else the path itself.
std::string first_table(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return path;
  for (const std::string& name : names_in(path))
    if (looks_like_table(name)) return path + '/' + name;
  return "";
}

/// Whether the first time of the file is a date, and the column that stands for an origin there.
struct FirstTime {
  bool is_date = false;
  std::string origin = {};
};
FirstTime first_time(const std::string& path, const EventOptions& options) {
  constexpr int kMostRows = 1000;  // statics may come first
  const OpenCsv csv = open_csv(path);
  text::CsvReader& reader = *csv.reader;
  if (is_record(reader)) return {};
  const EventColumns columns = event_columns(reader, path, options, true);
  for (int row = 0; columns.time && row < kMostRows && reader.next(); ++row) {
    const auto kind = event_time(reader, *columns.time, columns.unit, csv.separator != ',', options).kind;
    if (kind == EventTime::Kind::none) continue;
    if (kind != EventTime::Kind::date) return {};
    return {true, columns.origin ? reader.columns()[*columns.origin] : ""};
  }
  return {};
}

/// outcomes: their files; none: those of the folder.
std::string asked_column(std::vector<std::string> outcomes, const std::string& folder) {
  if (outcomes.empty() && std::filesystem::is_directory(folder))
    for (const std::string& name : names_in(folder))
      if (looks_like_outcomes(name)) outcomes.push_back(folder + '/' + name);
  for (const std::string& path : outcomes) {
    const OpenCsv csv = open_csv(path);
    for (const std::string& column : csv.reader->columns())
      if (plain_name(column) == "prediction_time") return column;
  }
  return "none";
}

}  // namespace

void resolve_by_content(const std::vector<std::string>& paths, EventOptions& options) {
  if (!options.origin.empty() && !options.at_column.empty()) return;
  try {
    const std::string path = paths.empty() ? "" : first_table(paths.front());
    if (path.empty() || is_archive(path)) return;
    const FirstTime first = first_time(path, options);
    if (!first.is_date) return;
    if (options.at_column.empty())
      options.at_column = options.origin.empty() || options.origin == "as given"
                              ? asked_column(options.outcomes, paths.front())
                              : "none";
    if (options.origin.empty()) options.origin = first.origin.empty() ? "as given" : first.origin;
  } catch (const DataError&) {  // the reader says it better
  } catch (const StorageError&) {
  }
}

}  // namespace fovea::datasets::events
