#pragma once
/// The keys of a config that say which series an experiment reads, and the reading.

#include "fovea/core/lab/config.hpp"
#include "fovea/datasets/series_once.hpp"

namespace fovea::lag {

/// data.file, data.time, data.recording, data.columns; sample: what stands in for a file that is not named.
void add_series_keys(Schema& schema, const std::string& sample);

/// Reads data.file. Throws as read_series(). To check a config, look: the run then takes what was read.
std::shared_ptr<const SeriesFile> look_at_series(const Config& config);
SeriesFile take_series(const Config& config);

/// The places of some names; an empty list for no names. Throws DataError that names the nearest.
std::vector<Index> places_of(const std::vector<std::string>& names, const SeriesTable& table, const std::string& file);

/// The lag in the table's unit of time; in steps where it has none.
double lag_time(const SeriesTable& table, Index lag);
/// The same in words: "3 steps", "1.5 days".
std::string lag_text(const SeriesTable& table, Index lag);

}  // namespace fovea::lag
