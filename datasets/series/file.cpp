#include "fovea/datasets/series/file.hpp"

#include "fovea/datasets/series/rows.hpp"

namespace fovea::datasets::series {

namespace {

bool is_hdf5_name(const std::string& path) {
  const std::string lower = lower_name(path);
  for (const char* ending : {".h5", ".hdf5", ".nc", ".nc4", ".he5"})
    if (lower.ends_with(ending)) return true;
  return false;
}

}  // namespace

SeriesFile read_series(const std::string& path, const SeriesFileOptions& options) {
  if (is_hdf5_name(path)) return finished(read_hdf5_series(path, options), options);
  const SeriesText text = recognise_text(path);
  datasets::text::CsvReader reader(path, text.csv);
  if (const auto columns = long_columns(reader, path, text, options))
    return read_long(reader, path, text, *columns, options);
  return finished(read_wide(reader, path, text, options), options);
}

}  // namespace fovea::datasets::series
