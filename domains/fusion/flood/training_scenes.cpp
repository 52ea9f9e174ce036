#include "fovea/domains/fusion/flood/training_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/datasets/simulated/flooded_plain.hpp"
#include "fovea/datasets/simulated/sensor_scene.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::kNoLabel;
using datasets::rasters::SceneWindow;

constexpr Index kMostPixels = Index{1} << 26;  // of a scene that is learned from, since it is held in memory
constexpr Index kStrip = 64;                   // rows whose columns are computed at a time
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// Of a block that lies there; "" within the guard of a block that is not for training.
const char* part_of(const TrainingScene& scene, Index row, Index column, const ChoicePlan& plan) {
  const Index across = row / plan.block, along = column / plan.block;
  const Index r = row % plan.block, c = column % plan.block;
  const bool edge = std::min(r, c) < plan.guard || std::max(r, c) >= plan.block - plan.guard;
  if (scene.has_split) {
    const std::int32_t split = scene.shown.split[row * scene.shown.window.columns + column];
    if (split != 0) return split == 1 && !plan.examine_others ? "test" : "";
  } else if ((across + 2 * along) % 3 == 0) {
    return edge || plan.examine_others ? "" : "test";
  }
  const Index fifth = (3 * across + along) % 5;
  if (fifth == plan.fold) return edge ? "" : "validation";
  if (plan.examine_others && fifth == (plan.fold + 1) % 5) return edge ? "" : "test";
  return "training";
}

std::string block_name(const TrainingScene& scene, Index pixel, Index block, const std::string& part) {
  const Index columns = scene.shown.window.columns;
  if (scene.tested_whole) return scene.name;
  return concat(scene.name, " ", pixel / columns / block, " ", pixel % columns / block, " ", part);
}

/// What the mask hides is what a reader of it misses.
void add_mask(const datasets::rasters::Scene& masked, TrainingScene& scene) {
  const SceneWindow left = masked.read(scene.shown.window);
  for (std::size_t i = 0; i < scene.shown.s2_valid.size(); ++i)
    scene.mask.push_back(scene.shown.s2_valid[i] != 0 && left.s2_valid[i] == 0 ? 1 : 0);
}

/// Adds the tokens of the pixels of one rendition of one scene.
class CaseRows {
 public:
  CaseRows(const ColumnPlan& plan, std::vector<std::array<std::vector<float>, 2>>& tokens)
      : plan_(plan), tokens_(tokens) {}

  /// wanted: (pixel, case), ascending pixels.
  void add(const SceneWindow& shown, const std::vector<std::pair<Index, Index>>& wanted) {
    const Index columns = shown.window.columns;
    for (std::size_t k = 0; k < wanted.size();) {
      const Index row = wanted[k].first / columns, rows = std::min(kStrip, shown.window.rows - row);
      const PixelColumns strip = pixel_columns(plan_, padded(shown, {row, 0, rows, columns}, plan_.margin()));
      for (; k < wanted.size() && wanted[k].first < (row + rows) * columns; ++k)
        take(strip, wanted[k].first - row * columns, tokens_[wanted[k].second]);
    }
  }

  static SceneWindow padded(const SceneWindow& shown, const datasets::rasters::Window& inner, Index margin) {
    SceneWindow made;
    made.window = {inner.row - margin, inner.column - margin, inner.rows + 2 * margin, inner.columns + 2 * margin};
    const Index pixels = made.window.pixels();
    made.s1 = Matrix<float>::Constant(shown.s1.rows(), pixels, kNone);
    made.s2 = Matrix<float>::Constant(shown.s2.rows(), pixels, kNone);
    if (!shown.s1_valid.empty()) made.s1_valid.assign(pixels, 0);
    if (!shown.s2_valid.empty()) made.s2_valid.assign(pixels, 0);
    const Index left = std::max<Index>(made.window.column, 0),
                right = std::min(made.window.column + made.window.columns, shown.window.columns);
    for (Index r = std::max<Index>(made.window.row, 0);
         r < std::min(made.window.row + made.window.rows, shown.window.rows); ++r) {
      const Index from = r * shown.window.columns + left, count = right - left,
                  to = (r - made.window.row) * made.window.columns + left - made.window.column;
      if (!shown.s1_valid.empty()) {
        made.s1.middleCols(to, count) = shown.s1.middleCols(from, count);
        std::copy_n(shown.s1_valid.begin() + from, count, made.s1_valid.begin() + to);
      }
      if (!shown.s2_valid.empty()) {
        made.s2.middleCols(to, count) = shown.s2.middleCols(from, count);
        std::copy_n(shown.s2_valid.begin() + from, count, made.s2_valid.begin() + to);
      }
    }
    return made;
  }

 private:
  static void take(const PixelColumns& strip, Index pixel, std::array<std::vector<float>, 2>& tokens) {
    const auto column = [pixel](const Matrix<float>& rows, std::vector<float>& to) {
      for (Index c = 0; c < rows.rows(); ++c) to.push_back(rows(c, pixel));
    };
    if (strip.s1_valid[pixel] != 0) column(strip.s1, tokens[0]);
    if (strip.s2_valid[pixel] != 0) column(strip.s2, tokens[1]);
  }

  const ColumnPlan& plan_;
  std::vector<std::array<std::vector<float>, 2>>& tokens_;
};

void pack_tokens(const ColumnPlan& plan, const std::vector<std::array<std::vector<float>, 2>>& tokens,
                 study::Cases& cases) {
  Index count = 0;
  for (const auto& both : tokens)
    for (const std::vector<float>& one : both) count += one.empty() ? 0 : 1;
  cases.values = Matrix<float>::Constant(count, plan.columns(), kNone);
  Index row = 0;
  for (const auto& both : tokens) {
    for (std::size_t s = 0; s < both.size(); ++s) {
      if (both[s].empty()) continue;
      std::copy(both[s].begin(), both[s].end(), cases.values.row(row++).data() + (s == 0 ? 0 : plan.s1_columns()));
      cases.kinds.push_back(static_cast<std::uint16_t>(s));
    }
    cases.offsets.push_back(row);
  }
}

}  // namespace

const Keys<SceneReading>& reading_keys() {
  static const auto keys =
      Keys<SceneReading>()
          .choice("data.units.s1", &SceneReading::s1_unit, {"auto", "db", "linear"},
                  "unit of S1; auto: determined from its values")
          .choice("data.units.s2", &SceneReading::s2_unit, {"auto", "numbers", "reflectance", "offset"},
                  "unit of S2: 10000 x reflectance, reflectance, or 10000 x reflectance + 1000; auto: determined from "
                  "its values")
          .key(kBands, &SceneReading::s2_bands, "bands of S2 to use; none: those of the first scene")
          .choice(study::kDataBad, &SceneReading::leave_out_bad)
          .added_later();
  return keys;
}

datasets::rasters::SceneRules rules_of(const SceneReading& reading) {
  using namespace datasets::rasters;
  SceneRules rules;
  rules.s1_bands = {"VV", "VH"};
  rules.s2_bands = reading.s2_bands;
  rules.s1_unit = SarUnit::db, rules.s2_unit = OpticalUnit::numbers;
  rules.label_band = reading.label_band, rules.byte_255_is_class = reading.byte_255_is_class;
  for (const SarUnit unit : {SarUnit::db, SarUnit::linear})
    if (reading.s1_unit == name_of(unit)) rules.s1_stated = unit;
  for (const OpticalUnit unit : {OpticalUnit::numbers, OpticalUnit::reflectance, OpticalUnit::offset_numbers})
    if (reading.s2_unit == name_of(unit)) rules.s2_stated = unit;
  return rules;
}

bool reads_scene(const std::string& name, std::size_t scenes, const SceneReading& reading,
                 std::vector<std::string>& notes, const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const DataError& fault) {
    if (scenes < 2) throw;
    if (!reading.leave_out_bad)
      throw DataError(concat(fault.what(), " To leave out scenes that cannot be read: --set data.bad='leave out'."));
    notes.push_back(concat("scene ", name, " is left out: ", fault.what()));
    return false;
  }
}

namespace {

void read_training_scene(const std::string& list, const datasets::rasters::SceneEntry& entry,
                         const SceneReading& reading, std::vector<TrainingScene>& scenes,
                         std::vector<std::string>& notes) {
  datasets::rasters::SceneEntry unmasked = entry;
  if (!reading.mask_hides) unmasked.mask.clear();
  const datasets::rasters::Scene scene(unmasked, rules_of(reading));
  const Index rows = scene.facts().rows, columns = scene.facts().columns;
  if (rows > kMostPixels / columns)
    throw DataError(concat(list, ": scene ", entry.name, " has ", rows, " x ", columns,
                           " pixels, but scenes to learn from may have at most ", kMostPixels,
                           "; cut it (gdal_translate -srcwin). fovea predict takes any size."));
  TrainingScene made{entry.name, scene.read({0, 0, rows, columns}), scene.facts().has_split};
  if (entry.mask != unmasked.mask) add_mask(datasets::rasters::Scene(entry, rules_of(reading)), made);
  notes.insert(notes.end(), scene.facts().notes.begin(), scene.facts().notes.end());
  scenes.push_back(std::move(made));
}

}  // namespace

std::vector<TrainingScene> read_training_scenes(const std::string& list, const SceneReading& reading,
                                                std::vector<std::string>& notes) {
  std::vector<TrainingScene> scenes;
  const std::vector<datasets::rasters::SceneEntry> listed = datasets::rasters::read_scene_list(list);
  for (const datasets::rasters::SceneEntry& entry : listed) {
    if (entry.labels.empty()) {
      notes.push_back(concat(list, ": scene ", entry.name, " has no labels and is passed over"));
      continue;
    }
    reads_scene(entry.name, listed.size(), reading, notes,
                [&] { read_training_scene(list, entry, reading, scenes, notes); });
  }
  if (scenes.empty())
    throw DataError(concat(list, ": no scene has labels, so nothing can be learned; add the column labels."));
  return scenes;
}

std::vector<TrainingScene> simulated_scenes(const SimulatedPlan& plan, const Random& random) {
  std::vector<TrainingScene> scenes;
  for (Index k = 0; k < plan.teaching + plan.tested; ++k) {
    TrainingScene scene{concat("plain_", k + 1), {}, plan.tested > 0};
    const datasets::simulated::FloodedPlain made =
        datasets::simulated::flooded_plain({plan.side, plan.side, plan.looks, plan.cloud}, random.stream(scene.name));
    SceneWindow& shown = scene.shown;
    shown.window = {0, 0, plan.side, plan.side};
    shown.s1 = (10 * made.backscatter.array().log10()).matrix().transpose().cast<float>();
    shown.s2 = (10000 * made.reflectance.array()).matrix().transpose().cast<float>();
    shown.s1_valid.assign(made.ground.size(), 1);
    for (const std::uint8_t cloud : made.cloudy) shown.s2_valid.push_back(cloud == 0 ? 1 : 0);
    for (const std::uint8_t ground : made.ground)
      shown.labels.push_back(ground < datasets::simulated::kWaterGrounds ? 1 : 0);
    scene.tested_whole = k >= plan.teaching;
    if (scene.has_split) shown.split.assign(made.ground.size(), scene.tested_whole ? 1 : 0);
    scene.ground = made.ground, scene.shaded = made.shaded, scene.veiled = made.veiled;
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

std::vector<std::uint8_t> cloudy_pixels(const TrainingScene& scene, const Rendition& rendition, const Random& random) {
  const datasets::rasters::Window& window = scene.shown.window;
  if (scene.shown.s2_valid.empty()) return {};
  if (rendition.by_mask && !scene.mask.empty()) return scene.mask;
  if (rendition.cover <= 0) return std::vector<std::uint8_t>(window.pixels(), 0);
  return largest(smooth_field(window.rows, window.columns, rendition.cover_side, random.stream("clouds")),
                 rendition.cover);
}

SceneWindow rendered(const TrainingScene& scene, const std::vector<std::string>& s2_bands, const Rendition& rendition,
                     const Random& random) {
  const SceneWindow& shown = scene.shown;
  SceneWindow made = shown;
  const std::vector<std::uint8_t> cloudy = cloudy_pixels(scene, rendition, random);
  if (!rendition.announced) paint_clouds(s2_bands, cloudy, rendition.paint_side, random.stream("paint"), made);
  for (std::size_t i = 0; i < cloudy.size() && rendition.announced; ++i) {
    if (cloudy[i] == 0) continue;
    made.s2_valid[i] = 0;
    made.s2.col(static_cast<Index>(i)).setConstant(kNone);
  }
  if (made.s1_valid.empty()) return made;
  const Index rows = shown.window.rows, columns = shown.window.columns;
  const Random speckle = random.stream("speckle");
  for (Index i = 0; i < rows * columns; ++i) {
    const Index r = i / columns - rendition.down, c = i % columns - rendition.right;
    const bool there = r >= 0 && c >= 0 && r < rows && c < columns;
    made.s1_valid[i] = there ? shown.s1_valid[r * columns + c] : 0;
    for (Index b = 0; b < made.s1.rows(); ++b) {
      made.s1(b, i) = there ? shown.s1(b, r * columns + c) : kNone;
      if (!there || rendition.looks <= 0) continue;
      const double gain =
          datasets::simulated::gamma_draw(rendition.looks, speckle, static_cast<std::uint64_t>(b * rows * columns + i));
      made.s1(b, i) += static_cast<float>(10 * std::log10(gain / rendition.looks));
    }
  }
  return made;
}

Random stream_of(const TrainingScene& scene, std::size_t rendition, const Random& random) {
  return random.stream(concat(scene.name, " ", rendition));
}

std::vector<ChosenPixel> choose_pixels(const std::vector<TrainingScene>& scenes, const ChoicePlan& plan) {
  std::map<std::string, std::vector<ChosenPixel>> of_part;
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const SceneWindow& shown = scenes[s].shown;
    for (Index i = 0; i < shown.window.pixels(); ++i) {
      const std::size_t at = i;
      const bool seen =
          (!shown.s1_valid.empty() && shown.s1_valid[at] != 0) || (!shown.s2_valid.empty() && shown.s2_valid[at] != 0);
      if (!seen || shown.labels[at] == kNoLabel) continue;
      const std::string part = part_of(scenes[s], i / shown.window.columns, i % shown.window.columns, plan);
      if (!part.empty()) of_part[part].push_back({static_cast<Index>(s), 0, i, part});
    }
  }
  std::vector<ChosenPixel> chosen;
  const Random random = Random(1).stream("pixels that teach");
  for (auto& [part, pixels] : of_part) {
    const Index most = part == "training" ? plan.training : part == "validation" ? plan.validation : std::ssize(pixels);
    const double share = static_cast<double>(most) / static_cast<double>(pixels.size());
    const Random draws = random.stream(part);
    for (std::size_t k = 0; k < pixels.size(); ++k) {
      if (draws.uniform(k, 0) >= share) continue;
      if (part != "test" && plan.renditions > 0 && draws.uniform(k, 1) < 0.5)
        pixels[k].rendition = 1 + static_cast<Index>(draws.below(static_cast<std::uint64_t>(plan.renditions), k, 2));
      chosen.push_back(pixels[k]);
    }
  }
  return chosen;
}

study::Cases cases_of_pixels(const std::vector<TrainingScene>& scenes, const std::vector<ChosenPixel>& chosen,
                             const std::vector<Rendition>& renditions, const ColumnPlan& plan,
                             const std::vector<std::int32_t>& classes, Index block, const Random& random) {
  std::vector<std::array<std::vector<float>, 2>> tokens(chosen.size());
  CaseRows rows(plan, tokens);
  for (std::size_t s = 0; s < scenes.size(); ++s)
    for (std::size_t d = 0; d < renditions.size(); ++d) {
      std::vector<std::pair<Index, Index>> wanted;
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k].scene == static_cast<Index>(s) && chosen[k].rendition == static_cast<Index>(d))
          wanted.emplace_back(chosen[k].pixel, static_cast<Index>(k));
      if (wanted.empty()) continue;
      std::sort(wanted.begin(), wanted.end());
      const SceneWindow& shown = scenes[s].shown;
      if (d == 0)
        rows.add(shown, wanted);
      else
        rows.add(rendered(scenes[s], plan.s2_bands, renditions[d], stream_of(scenes[s], d, random)), wanted);
    }
  study::Cases cases;
  cases.classes = model::kSensorNames;
  for (const auto& [name, unit] : plan.names()) cases.features.push_back({name, unit, {}});
  pack_tokens(plan, tokens, cases);
  for (const ChosenPixel& one : chosen) {
    const TrainingScene& scene = scenes[one.scene];
    const Index columns = scene.shown.window.columns;
    const auto found = std::find(classes.begin(), classes.end(), scene.shown.labels[one.pixel]);
    cases.targets.push_back(found == classes.end() ? kNan : static_cast<double>(found - classes.begin()));
    cases.ids.push_back(concat(scene.name, ":", one.pixel / columns, ":", one.pixel % columns));
    cases.groups.push_back(block_name(scene, one.pixel, block, one.part));
    cases.parts.push_back(one.part);
  }
  return cases;
}

}  // namespace fovea::fusion::flood
