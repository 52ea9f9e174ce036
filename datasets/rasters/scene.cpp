#include "fovea/datasets/rasters/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/sensor.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
const std::vector<std::string> kSarBands{"VV", "VH"};
const std::vector<std::string> kOpticalBands{"B1", "B2",  "B3", "B4",  "B5",  "B6", "B7",
                                             "B8", "B8A", "B9", "B10", "B11", "B12"};

template <typename Unit>
void convert_all(Matrix<float>& values, std::optional<Unit> from, std::optional<Unit> to) {
  if (!from || !to || *from == *to) return;
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isnan(values.data()[i])) values.data()[i] = converted(values.data()[i], *from, *to);
}

/// The band of a map that is read.
Index band_of_map(const Layer& map, Index asked) {
  const std::vector<BandFacts>& bands = map.facts().bands;
  if (asked > 0) {
    if (asked > std::ssize(bands))
      throw DataError(concat(map.reader().path(), ": has ", bands.size(), " bands, but data.label_band is ", asked,
                             "; name one that it has."));
    return asked - 1;
  }
  Index one = 0;
  while (one + 1 < std::ssize(bands) && bands[one].is_alpha) ++one;
  return one;
}

}  // namespace

struct Scene::State {
  State(const SceneEntry& entry, const SceneRules& given) : rules(given) {
    facts.name = entry.name;
    open_sensor(s1, entry.s1, rules.s1_bands, kSarBands);
    open_sensor(s2, entry.s2, rules.s2_bands, kOpticalBands);
    const bool by_s1 = !s2 || (s1 && s1->layer.facts().columns > s2->layer.facts().columns);
    const Layer& grid_layer = by_s1 ? s1->layer : s2->layer;
    grid = grid_layer.facts();
    facts.rows = grid.rows, facts.columns = grid.columns, facts.place = grid.place;
    if (!grid.place.is_there()) facts.notes.push_back(concat(grid_layer.reader().path(), ": has no georeference"));
    const std::string& path = grid_layer.reader().path();
    for (Sensor* sensor : {s1.get(), s2.get()})
      if (sensor != nullptr) note(sensor->layer.put_on(grid, path, false));
    open_map(labels, entry.labels, path, rules.label_band);
    open_map(split, entry.split, path), open_map(mask, entry.mask, path);
    facts.has_labels = labels != nullptr, facts.has_split = split != nullptr, facts.has_mask = mask != nullptr;
    if (s1) s1_from = s1->settle("s1", rules.s1_stated, rules.s1_unit, facts.notes);
    if (s2) s2_from = s2->settle("s2", rules.s2_stated, rules.s2_unit, facts.notes);
    if (s1) facts.s1_usual = s1->usual();
    if (s2) facts.s2_usual = s2->usual();
    facts.s1_unit = rules.s1_unit && s1 ? rules.s1_unit : s1_from;
    facts.s2_unit = rules.s2_unit && s2 ? rules.s2_unit : s2_from;
    for (const Layer* layer :
         {s1 ? &s1->layer : nullptr, s2 ? &s2->layer : nullptr, labels.get(), split.get(), mask.get()})
      if (layer != nullptr) facts.largest_piece = std::max(facts.largest_piece, layer->piece_bytes());
  }

  /// What a band gets of the cache: S1 has two, the mask and the labels one each, S2 the rest.
  std::size_t cache_share() const { return rules.cache / (rules.s2_bands.empty() ? 17 : rules.s2_bands.size() + 4); }

  void note(const std::string& text) {
    if (!text.empty()) facts.notes.push_back(text);
  }

  void open_sensor(std::unique_ptr<Sensor>& sensor, const std::string& path, const std::vector<std::string>& wanted,
                   const std::vector<std::string>& usual) {
    if (path.empty()) return;
    const std::size_t share = cache_share();
    const bool optical = &sensor == &s2;
    sensor = std::make_unique<Sensor>(path, optical ? rules.cache - 4 * share : 2 * share, optical);
    sensor->choose_bands(wanted, usual, facts.notes);
    (optical ? facts.s2_bands : facts.s1_bands) = sensor->names();
  }

  void open_map(std::unique_ptr<Layer>& map, const std::string& path, const std::string& grid_path, Index band = 0) {
    if (path.empty()) return;
    map = std::make_unique<Layer>(path, cache_share());
    if (map->facts().value_bands() != 1 && band == 0)
      throw DataError(concat(path, ": has ", map->facts().value_bands(), " bands, but a map must have one; take one (",
                             &map == &labels ? "data.label_band, " : "", "gdal_translate -b)."));
    band_of_map(*map, band);  // is there
    note(map->put_on(grid, grid_path, true));
  }

  std::vector<std::int32_t> classes(const Layer& map, const Window& window) const {
    std::vector<float> numbers(window.pixels());
    const bool is_labels = &map == labels.get();
    map.read(window, band_of_map(map, is_labels ? rules.label_band : 0), true, std::nullopt, numbers.data());
    const bool counts = is_labels && rules.byte_255_is_class;
    const float none = map.facts().sample == SampleType::uint8 && !counts ? 255.F : kNone;
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
  std::unique_ptr<Sensor> s1, s2;
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
  if (state.s1) {
    state.s1->read(window, scene.s1, scene.s1_valid);
    convert_all(scene.s1, state.s1_from, state.facts.s1_unit);
    for (Index b = 0; b < scene.s1.rows(); ++b)  // the dB of nothing
      for (Index i = 0; i < window.pixels(); ++i)
        if (std::isnan(scene.s1(b, i)) && scene.s1_valid[i] != 0)
          scene.s1.col(i).setConstant(kNone), scene.s1_valid[i] = 0;
  }
  if (state.s2) {
    state.s2->read(window, scene.s2, scene.s2_valid);
    convert_all(scene.s2, state.s2_from, state.facts.s2_unit);
    if (state.mask) {
      std::vector<float> hidden(window.pixels());
      state.mask->read(window, band_of_map(*state.mask, 0), true, 0.F, hidden.data());
      for (Index i = 0; i < window.pixels(); ++i)
        if (hidden[i] != 0) scene.s2.col(i).setConstant(kNone), scene.s2_valid[i] = 0;
    }
  }
  if (state.labels) scene.labels = state.classes(*state.labels, window);
  if (state.split) scene.split = state.classes(*state.split, window);
}

}  // namespace fovea::datasets::rasters
