#include "fovea/datasets/cases/case_file.hpp"

#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/cases/case_rows.hpp"
#include "fovea/datasets/cases/table_cells.hpp"

namespace fovea::datasets::cases {

namespace {

constexpr std::size_t kMostFeatures = 10000;

void place(const std::string& path, std::optional<std::size_t>& found, const std::string& name, std::size_t at) {
  if (found) throw DataError(concat(path, ": has two columns '", name, "'; keep one."));
  found = at;
}

/// The columns of a file in our own names: whatever is no other thing is a feature.
Places own_places(const std::string& path, const text::CsvReader& csv) {
  Places places;
  const std::map<std::string, std::optional<std::size_t>*> special{
      {"id", &places.id},     {"time", &places.time},     {"group", &places.group},
      {"part", &places.part}, {"weight", &places.weight}, {"target", &places.target}};
  for (std::size_t c = 0; c < csv.columns().size(); ++c) {
    const ColumnTitle title = title_of(csv.columns()[c]);
    if (const auto found = special.find(title.name); found != special.end()) {
      place(path, *found->second, title.name, c);
      if (title.name == "time") places.time_unit = title.unit;
      continue;
    }
    places.features.push_back({title.name, title.unit, {}});
    places.of_features.push_back(c);
  }
  if (!places.id) throw DataError(concat(path, ": has no column 'id', which says which rows are one case."));
  if (places.features.size() > kMostFeatures)
    throw DataError(
        concat(path, ": has ", places.features.size(), " features, but at most ", kMostFeatures, " are read."));
  return places;
}

}  // namespace

std::unique_ptr<study::CaseReader> read_case_file(const std::string& path) {
  auto csv = std::make_unique<text::CsvReader>(path);
  Places places = own_places(path, *csv);
  const auto number = [](const text::CsvReader& reader, std::size_t column) { return reader.number_or_nan(column); };
  Cells cells{
      [](const text::CsvReader& reader, std::size_t column, std::size_t) { return reader.number_or_nan(column); },
      number, number};
  return std::make_unique<CaseRows>(std::move(csv), std::move(places), std::move(cells));
}

}  // namespace fovea::datasets::cases
