#include "fovea/domains/fusion/inspect/facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/band_names.hpp"
#include "fovea/datasets/rasters/raster_reader.hpp"
#include "fovea/datasets/rasters/scene.hpp"
#include "fovea/datasets/rasters/stack_grid.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::fusion::inspect {

namespace {

using namespace datasets::rasters;

constexpr Index kWindow = 512;            // pixels that are read at a time, each way
constexpr std::size_t kMostClasses = 20;  // of a map whose numbers are counted one by one
constexpr double kSecondsOfDay = 86400;

std::string number_text(double value) { return rounded_text(value); }

std::string listed_names(const std::vector<std::string>& names) {
  return datasets::text::listed(
      names, [](const std::string& name) { return name.empty() ? "?" : datasets::text::shown_text(name); });
}

std::string grid_text(Index rows, Index columns, const Georeference& place) {
  std::string text = concat(columns, " x ", rows, " pixels");
  if (!place.is_there()) return text + ", no georeference";
  const std::optional<GridMap> map = grid_map(place);
  const double wide = std::hypot(map->a, map->d), high = std::hypot(map->b, map->e);
  return concat(text, " of ", number_text(wide), " x ", number_text(high), ", ", place.system(),
                map->b != 0 || map->d != 0 ? ", turned against north" : "");
}

/// Calls with each window of a raster.
template <typename Call>
void for_each_window(Index rows, Index columns, const Call& call) {
  for (Index row = 0; row < rows; row += kWindow)
    for (Index column = 0; column < columns; column += kWindow)
      call(Window{row, column, std::min(kWindow, rows - row), std::min(kWindow, columns - column)});
}

std::string counts_text(std::map<std::int32_t, Index> counts) {
  const auto none = counts.extract(kNoLabel);
  const auto counted_number = [](const auto& one) { return concat(one.first, " (", one.second, ")"); };
  const std::string text = datasets::text::listed(counts, counted_number, kMostClasses);
  return concat(text.empty() ? "none" : text, none.empty() ? "" : concat("; no label at ", none.mapped()));
}

/// Pixels that a sensor shows.
struct Shown {
  Index s1 = 0, s2 = 0, both = 0, all = 0;
  std::map<std::int32_t, Index> labels, split;
};

Shown shown_of(const Scene& scene) {
  Shown shown;
  SceneWindow window;
  for_each_window(scene.facts().rows, scene.facts().columns, [&](const Window& where) {
    scene.read(where, window);
    for (Index i = 0; i < where.pixels(); ++i) {
      const std::size_t at = i;
      const bool s1 = !window.s1_valid.empty() && window.s1_valid[at] != 0,
                 s2 = !window.s2_valid.empty() && window.s2_valid[at] != 0;
      ++shown.all, shown.s1 += s1, shown.s2 += s2, shown.both += s1 && s2;
      if (!window.labels.empty()) ++shown.labels[window.labels[at]];
      if (!window.split.empty()) ++shown.split[window.split[at]];
    }
  });
  return shown;
}

ImageFacts facts_of_scene(const SceneEntry& entry) {
  SceneRules rules;
  rules.byte_255_is_class = true;
  const Scene scene(entry, rules);
  const SceneFacts& facts = scene.facts();
  const Shown shown = shown_of(scene);
  ImageFacts found{entry.name, {{"grid", grid_text(facts.rows, facts.columns, facts.place)}}, facts.notes};
  const auto add = [&](const char* sensor, const std::string& path, const std::vector<std::string>& bands, auto unit,
                       PossibleRange usual, Index count) {
    if (path.empty()) return;
    const std::string text = concat(path, ": ", listed_names(bands), "; ");
    found.lines.emplace_back(
        sensor,
        count == 0
            ? text + "no data anywhere"
            : concat(text, unit ? concat("unit ", name_of(*unit), ", assumed from its values") : "unit not known",
                     ": 98 of 100 of those examined from ", number_text(static_cast<double>(usual.low)), " to ",
                     number_text(static_cast<double>(usual.high)), "; no data at ", shown.all - count, " of ",
                     counted(shown.all, "pixel")));
  };
  add("s1", entry.s1, facts.s1_bands, facts.s1_unit, facts.s1_usual, shown.s1);
  add("s2", entry.s2, facts.s2_bands, facts.s2_unit, facts.s2_usual, shown.s2);
  if (!entry.s1.empty() && !entry.s2.empty())
    found.lines.emplace_back("sensors", concat("both at ", shown.both, ", s1 alone at ", shown.s1 - shown.both,
                                               ", s2 alone at ", shown.s2 - shown.both, ", none at ",
                                               shown.all - shown.s1 - shown.s2 + shown.both, " pixels"));
  if (facts.has_labels) found.lines.emplace_back("labels", concat(entry.labels, ": ", counts_text(shown.labels)));
  if (shown.labels.contains(255) && RasterReader(entry.labels).facts().sample == SampleType::uint8)
    found.notes.push_back(concat(entry.labels, ": 255 of a byte counts as no label, unless data.classes names it"));
  if (facts.has_split) found.lines.emplace_back("split", concat(entry.split, ": ", counts_text(shown.split)));
  if (facts.has_mask) found.lines.emplace_back("mask", concat(entry.mask, ": hides S2 where it is not 0"));
  return found;
}

/// The numbers of one band of a raster.
std::string band_text(const RasterReader& reader, Index band) {
  const RasterFacts& facts = reader.facts();
  Index none = 0, all = 0;
  double low = HUGE_VAL, high = -HUGE_VAL;
  std::map<std::int32_t, Index> classes;
  bool wholes = true;
  std::vector<double> values;
  for_each_window(facts.rows, facts.columns, [&](const Window& window) {
    values.resize(window.pixels());
    reader.read(window, std::vector<Index>{band}, values.data());
    for (const double value : values) {
      ++all;
      if (std::isnan(value)) {
        ++none;
        continue;
      }
      low = std::min(low, value), high = std::max(high, value);
      wholes = wholes && value == std::floor(value) && std::abs(value) < 1e6;
      if (wholes && classes.size() <= kMostClasses) ++classes[static_cast<std::int32_t>(value)];
    }
  });
  if (none == all) return "no data anywhere";
  const std::string text = wholes && classes.size() <= kMostClasses
                               ? concat("values ", counts_text(classes))
                               : concat(number_text(low), " to ", number_text(high));
  return concat(text, "; no data at ", none, " of ", counted(all, "pixel"));
}

std::string dates_text(const ImageSeries& series) {
  if (series.times.empty()) return "no date";
  return concat(counted(std::ssize(series.times), "date"), " from ",
                datasets::series::date_text(series.times.front() / kSecondsOfDay), " to ",
                datasets::series::date_text(series.times.back() / kSecondsOfDay));
}

}  // namespace

bool is_stack(const std::string& path) {
  try {
    if (datasets::text::format_of_bytes(datasets::text::front_of(path)) != datasets::text::FileFormat::hdf5)
      return false;
    const Hdf5Rows file{Place(path)};
    return file.find("/s1/db") != nullptr || file.find("/s2/r10m") != nullptr || file.find("/s2/r20m") != nullptr ||
           std::any_of(file.entries().begin(), file.entries().end(), [](const Hdf5Entry& entry) {
             return !entry.is_group && entry.shape.size() == 3 &&
                    !band_called(entry.path.substr(entry.path.rfind('/') + 1)).empty();
           });
  } catch (const std::exception&) {
    return false;
  }
}

std::vector<ImageFacts> facts_of_scenes(const std::string& list) {
  std::vector<ImageFacts> found;
  for (const SceneEntry& entry : read_scene_list(list)) found.push_back(facts_of_scene(entry));
  return found;
}

ImageFacts facts_of_geotiff(const std::string& path) {
  const RasterReader reader(path);
  const RasterFacts& facts = reader.facts();
  std::string sensor;
  for (const BandFacts& band : facts.bands)
    if (const std::string name = band_called(band.name); !name.empty() && !facts.has_palette)
      sensor = name[0] == 'B' ? "s2" : "s1";
  ImageFacts found{path, {{"grid", grid_text(facts.rows, facts.columns, facts.place)}}, facts.notes};
  found.lines.emplace_back(
      "numbers",
      concat(name_of(facts.sample), facts.has_palette ? " that stand for colours of a palette" : "",
             facts.missing_text.empty() ? ", no no-data number" : concat(", no-data number ", facts.missing_text),
             facts.hidden_by.empty() ? "" : concat(", pixels hidden by ", facts.hidden_by)));
  if (!sensor.empty()) {
    SceneEntry entry;
    entry.name = path, (sensor == "s1" ? entry.s1 : entry.s2) = path;
    const ImageFacts scene = facts_of_scene(entry);
    found.lines.insert(found.lines.end(), scene.lines.begin() + 1, scene.lines.end());
    found.notes.insert(found.notes.end(), scene.notes.begin(), scene.notes.end());
    return found;
  }
  for (std::size_t b = 0; b < facts.bands.size(); ++b) {
    if (facts.bands[b].is_alpha) continue;
    const std::string name = facts.bands[b].name.empty() ? "" : " " + datasets::text::shown_text(facts.bands[b].name);
    found.lines.emplace_back(concat("band ", b + 1, name), band_text(reader, static_cast<Index>(b)));
  }
  return found;
}

ImageFacts facts_of_stack(const std::string& path) {
  Stack stack{Place(path)};
  ImageFacts found{path, {}, {}};
  const StackGrid grid = finest_grid(stack);
  found.lines.emplace_back("grid", concat(grid.columns, " x ", grid.rows, " pixels, ",
                                          stack.system().empty() ? "no coordinate system" : stack.system()));
  for (const ImageSeries* series : {&stack.s1(), &stack.r10m(), &stack.r20m()})
    if (!series->bands.empty())
      found.lines.emplace_back(series->path, concat(listed_names(series->bands), "; ", dates_text(*series), "; ",
                                                    series->columns, " x ", series->rows, " pixels"));
  found.lines.emplace_back("clouds", stack.has_classes() ? "scene classes of each date" : "no scene classes");
  const Hdf5Rows file{Place(path)};
  for (const Hdf5Entry& entry : file.entries()) {
    if (entry.is_group || entry.shape.size() != 2 || !(entry.path.starts_with("/label/") || entry.path == "/split"))
      continue;
    const Matrix<std::int32_t> map = stack.map(entry.path.substr(1));
    std::map<std::int32_t, Index> counts;
    for (Index i = 0; i < map.size(); ++i) ++counts[map.data()[i]];
    found.lines.emplace_back(entry.path, concat("values ", counts_text(counts)));
    if (counts.contains(255) && stack.is_map_of_bytes(entry.path.substr(1)))
      found.notes.push_back(concat(entry.path, ": 255 of a byte counts as no label, unless data.classes names it"));
  }
  try {
    stack.settle_units(std::nullopt);
  } catch (const DataError& refused) {
    found.notes.push_back(refused.what());
  }
  found.notes.insert(found.notes.end(), stack.notes().begin(), stack.notes().end());
  return found;
}

}  // namespace fovea::fusion::inspect
