#include "fovea/datasets/rasters/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/kernels/number_loops.hpp"
#include "fovea/datasets/rasters/layer.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN(), kOftenNone = -9999;
const std::vector<std::string> kSarBands{"VV", "VH"};
const std::vector<std::string> kOpticalBands{"B1", "B2",  "B3", "B4",  "B5",  "B6", "B7",
                                             "B8", "B8A", "B9", "B10", "B11", "B12"};

/// "b02" is "B2".
std::string plain_band(const std::string& name) {
  std::string plain;
  for (const char letter : name) plain += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  if (plain.size() > 2 && plain[0] == 'B' && plain[1] == '0') plain.erase(1, 1);
  return plain;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += concat(list.empty() ? "" : ", ", text::shown_text(name));
  return list;
}

/// A sensor of a scene: its file and which bands of it are wanted.
struct Sensor {
  std::unique_ptr<Layer> layer;
  std::vector<Index> order;
  std::vector<std::string> names;
  std::vector<std::string> notes;

  void choose_bands(const std::vector<std::string>& wanted, const std::vector<std::string>& usual) {
    const std::string& path = layer->reader().path();
    std::vector<std::string> there;
    for (const BandFacts& band : layer->facts().bands) there.push_back(plain_band(band.name));
    const bool unnamed = std::all_of(there.begin(), there.end(), [](const auto& name) { return name.empty(); });
    const std::vector<std::string>& assumed = wanted.empty() ? usual : wanted;
    if (unnamed && there.size() != assumed.size())
      throw DataError(concat(path, ": has ", there.size(), " bands without names, but ", assumed.size(),
                             " are wanted (", listed(assumed), "); name them (gdal_edit.py, gdal_translate -b)."));
    if (unnamed) notes.push_back(concat(path, ": its bands have no names; ", listed(assumed), " is assumed"));
    names = wanted.empty() && !unnamed ? there : assumed;
    for (std::size_t b = 0; unnamed && b < there.size(); ++b) there[b] = plain_band(assumed[b]);
    for (const std::string& name : names) {
      const auto found = std::find(there.begin(), there.end(), plain_band(name));
      const auto again = found == there.end() ? found : std::find(found + 1, there.end(), plain_band(name));
      if (found == there.end() || again != there.end())
        throw DataError(concat(path, ": has the bands ", listed(there), ", but must have ", text::shown_text(name),
                               " once; name its bands or choose others (gdal_translate -b)."));
      order.push_back(found - there.begin());
    }
    if (order.size() != there.size())
      throw DataError(concat(path, ": has the bands ", listed(there), ", but must have only ", listed(names),
                             "; take the others out (gdal_translate -b)."));
  }

  /// The bands at the pixels of a window; a pixel without data is NaN in all.
  void read(const Window& window, Matrix<float>& values, std::vector<std::uint8_t>& valid) const {
    const auto bands = static_cast<Index>(order.size());
    values.resize(bands, window.pixels());
    valid.assign(window.pixels(), 1);
    for (Index b = 0; b < bands; ++b) layer->read(window, order[b], false, 0.F, values.row(b).data());
    std::vector<std::uint8_t> all_dark(valid.size(), 1);
    for (Index b = 0; b < bands; ++b)  // band by band, as the numbers lie
      mark_pixels(values.row(b).data(), window.pixels(), kOftenNone, valid.data(), all_dark.data());
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (valid[i] != 0 && all_dark[i] == 0) continue;
      values.col(static_cast<Index>(i)).setConstant(kNone);
      valid[i] = 0;
    }
  }
};

/// Windows spread over a raster, whose values say what unit it is in.
std::vector<std::vector<float>> sampled(const Sensor& sensor, const RasterFacts& grid) {
  constexpr Index kAcross = 4, kSide = 48;
  std::vector<std::vector<float>> bands(sensor.order.size());
  for (Index r = 0; r < kAcross; ++r)
    for (Index c = 0; c < kAcross; ++c) {
      const Index row = (grid.rows - 1) * (2 * r + 1) / (2 * kAcross),
                  column = (grid.columns - 1) * (2 * c + 1) / (2 * kAcross);
      std::vector<std::uint8_t> valid;
      const Window window{row, column, std::min(kSide, grid.rows - row), std::min(kSide, grid.columns - column)};
      Matrix<float> values;
      sensor.read(window, values, valid);
      for (Index i = 0; i < values.cols(); ++i)
        for (std::size_t b = 0; valid[i] != 0 && b < bands.size(); ++b)
          bands[b].push_back(values(static_cast<Index>(b), i));
    }
  return bands;
}

template <typename Unit>
void check_unit(const std::string& path, const char* key, std::optional<Unit> told, std::optional<Unit> stated,
                std::optional<Unit> wanted, SceneFacts& facts) {
  if (stated && wanted && *stated != *wanted)
    facts.notes.push_back(concat(path, ": converted from ", name_of(*stated), " to ", name_of(*wanted)));
  if (stated || !wanted || told == wanted) return;
  const std::string way = concat("; say what it is by data.units.", key, " and it is converted.");
  if (told)
    throw DataError(concat(path, ": its values look like ", name_of(*told), ", but must be ", name_of(*wanted), way));
  facts.notes.push_back(concat(path, ": its unit cannot be told; ", name_of(*wanted), " is assumed"));
}

template <typename Unit>
void convert_all(Matrix<float>& values, std::optional<Unit> from, std::optional<Unit> to) {
  if (!from || !to || *from == *to) return;
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isnan(values.data()[i])) values.data()[i] = converted(values.data()[i], *from, *to);
}

}  // namespace

struct Scene::State {
  State(const SceneEntry& entry, const SceneRules& given) : rules(given) {
    facts.name = entry.name;
    open_sensor(s1, entry.s1, rules.s1_bands, kSarBands);
    open_sensor(s2, entry.s2, rules.s2_bands, kOpticalBands);
    const bool by_s1 = !s2.layer || (s1.layer && s1.layer->facts().columns > s2.layer->facts().columns);
    const Layer& grid_layer = by_s1 ? *s1.layer : *s2.layer;
    grid = grid_layer.facts();
    facts.rows = grid.rows, facts.columns = grid.columns, facts.place = grid.place;
    if (!grid.place.is_there()) facts.notes.push_back(concat(grid_layer.reader().path(), ": has no georeference"));
    const std::string& path = grid_layer.reader().path();
    for (Sensor* sensor : {&s1, &s2})
      if (sensor->layer) note(sensor->layer->put_on(grid, path, false));
    open_map(labels, entry.labels, path), open_map(split, entry.split, path), open_map(mask, entry.mask, path);
    facts.has_labels = labels != nullptr, facts.has_split = split != nullptr, facts.has_mask = mask != nullptr;
    tell_units();
    for (const Layer* layer : {s1.layer.get(), s2.layer.get(), labels.get(), split.get(), mask.get()})
      if (layer != nullptr) facts.largest_piece = std::max(facts.largest_piece, layer->piece_bytes());
  }

  /// What a band gets of the cache: S1 has two, the mask and the labels one each, S2 the rest.
  std::size_t cache_share() const { return rules.cache / (rules.s2_bands.empty() ? 17 : rules.s2_bands.size() + 4); }

  void note(const std::string& text) {
    if (!text.empty()) facts.notes.push_back(text);
  }

  void open_sensor(Sensor& sensor, const std::string& path, const std::vector<std::string>& wanted,
                   const std::vector<std::string>& usual) {
    if (path.empty()) return;
    const std::size_t share = cache_share();
    sensor.layer = std::make_unique<Layer>(path, &sensor == &s2 ? rules.cache - 4 * share : 2 * share);
    sensor.choose_bands(wanted, usual);
    (&sensor == &s1 ? facts.s1_bands : facts.s2_bands) = sensor.names;
    for (const std::string& said : sensor.notes) note(said);
  }

  void open_map(std::unique_ptr<Layer>& map, const std::string& path, const std::string& grid_path) {
    if (path.empty()) return;
    map = std::make_unique<Layer>(path, cache_share());
    if (map->facts().bands.size() != 1)
      throw DataError(concat(path, ": has ", map->facts().bands.size(),
                             " bands, but a map must have one; take one (gdal_translate -b)."));
    note(map->put_on(grid, grid_path, true));
  }

  void tell_units() {
    if (s1.layer) {
      std::vector<float> all;
      if (!rules.s1_stated)
        for (const auto& band : sampled(s1, grid)) all.insert(all.end(), band.begin(), band.end());
      const auto told = sar_unit(std::move(all));
      check_unit(s1.layer->reader().path(), "s1", told, rules.s1_stated, rules.s1_unit, facts);
      s1_from = rules.s1_stated ? rules.s1_stated : told;
      facts.s1_unit = rules.s1_unit ? rules.s1_unit : s1_from;
    }
    if (s2.layer) {
      const auto told = rules.s2_stated ? std::nullopt : optical_unit(sampled(s2, grid));
      check_unit(s2.layer->reader().path(), "s2", told, rules.s2_stated, rules.s2_unit, facts);
      s2_from = rules.s2_stated ? rules.s2_stated : told;
      facts.s2_unit = rules.s2_unit ? rules.s2_unit : s2_from;
    }
  }

  std::vector<std::int32_t> classes(const Layer& map, const Window& window) const {
    std::vector<float> numbers(window.pixels());
    map.read(window, 0, true, std::nullopt, numbers.data());
    const float none = map.facts().sample == SampleType::uint8 ? 255.F : kNone;
    std::vector<std::int32_t> found(numbers.size(), kNoLabel);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const float number = numbers[i];
      if (std::isnan(number) || number < 0 || number == none) continue;
      if (number != std::floor(number) || number > 65535)
        throw DataError(concat(map.reader().path(), ": has the class ", number,
                               ", but classes must be whole numbers up to 65535."));
      found[i] = static_cast<std::int32_t>(number);
    }
    return found;
  }

  SceneRules rules;
  SceneFacts facts;
  RasterFacts grid;
  Sensor s1, s2;
  std::unique_ptr<Layer> labels, split, mask;
  std::optional<SarUnit> s1_from;
  std::optional<OpticalUnit> s2_from;
};

Scene::Scene(const SceneEntry& entry, const SceneRules& rules) : state_(std::make_unique<State>(entry, rules)) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
const SceneFacts& Scene::facts() const { return state_->facts; }

SceneWindow Scene::read(const Window& window) const {
  SceneWindow scene;
  read(window, scene);
  return scene;
}

void Scene::read(const Window& window, SceneWindow& scene) const {
  const State& state = *state_;
  scene.window = window;
  if (state.s1.layer) {
    state.s1.read(window, scene.s1, scene.s1_valid);
    convert_all(scene.s1, state.s1_from, state.facts.s1_unit);
    for (Index b = 0; b < scene.s1.rows(); ++b)  // the dB of nothing
      for (Index i = 0; i < window.pixels(); ++i)
        if (std::isnan(scene.s1(b, i)) && scene.s1_valid[i] != 0)
          scene.s1.col(i).setConstant(kNone), scene.s1_valid[i] = 0;
  }
  if (state.s2.layer) {
    state.s2.read(window, scene.s2, scene.s2_valid);
    convert_all(scene.s2, state.s2_from, state.facts.s2_unit);
    if (state.mask) {
      std::vector<float> hidden(window.pixels());
      state.mask->read(window, 0, true, 0.F, hidden.data());
      for (Index i = 0; i < window.pixels(); ++i)
        if (hidden[i] != 0) scene.s2.col(i).setConstant(kNone), scene.s2_valid[i] = 0;
    }
  }
  if (state.labels) scene.labels = state.classes(*state.labels, window);
  if (state.split) scene.split = state.classes(*state.split, window);
}

}  // namespace fovea::datasets::rasters
