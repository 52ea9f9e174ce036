#include "fovea/domains/lag/series_input.hpp"

#include <algorithm>

#include "fovea/core/error.hpp"
#include "fovea/datasets/csv.hpp"

namespace fovea::lag {

namespace {

SeriesFileOptions options_of_config(const Config& config) {
  return {config.text("data.time"), config.text("data.recording"), config.texts("data.columns")};
}

}  // namespace

void add_series_keys(Schema& schema, const std::string& sample) {
  schema.file("data.file", "series as CSV (also packed with gzip) or HDF5, wide or long; none: " + sample);
  schema.text("data.time", "", "column of times; empty: recognised by name or values; none: rows are steps");
  schema.text("data.recording", "", "column that tells recordings or regimes apart; empty: recognised by name; none");
  schema.texts("data.columns", {}, "the series to read; empty: all");
}

std::shared_ptr<const SeriesFile> look_at_series(const Config& config) {
  return fovea::look_at_series(config.text("data.file"), options_of_config(config));
}

SeriesFile take_series(const Config& config) {
  return fovea::take_series(config.text("data.file"), options_of_config(config));
}

std::vector<Index> places_of(const std::vector<std::string>& names, const SeriesTable& table, const std::string& file) {
  std::vector<Index> places;
  for (const std::string& name : names) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    if (found == table.names.end()) {
      const std::string close = nearest(name, table.names);
      throw DataError(concat(
          file, ": has no series '", shown_text(name), "' that changes; ",
          close.empty() ? "there are: " + listed(table.names) + "." : "did you mean '" + shown_text(close) + "'?"));
    }
    places.push_back(static_cast<Index>(found - table.names.begin()));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

double lag_time(const SeriesTable& table, Index lag) {
  return static_cast<double>(lag) * (table.time_unit.empty() ? 1 : table.step);
}

std::string lag_text(const SeriesTable& table, Index lag) { return time_text(lag_time(table, lag), table.time_unit); }

}  // namespace fovea::lag
