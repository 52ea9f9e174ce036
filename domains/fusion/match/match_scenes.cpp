#include "fovea/domains/fusion/match/match_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/simulated/sensor_scene.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion::match {

namespace {

constexpr Index kMostScenePixels = Index{1} << 26;
const std::vector<std::string> kMadeBands{"B02", "B03", "B04", "B08"};

std::vector<flood::BandDifference> differences_of(const std::vector<std::string>& bands) {
  return flood::ColumnPlan{bands, {}, {}}.differences();
}

/// Counts of marked pixels in rectangles.
class Marked {
 public:
  Marked(Index rows, Index columns, const std::vector<std::uint8_t>& marks)
      : rows_(rows), columns_(columns), sums_((rows + 1) * (columns + 1), 0) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        at(r + 1, c + 1) = at(r, c + 1) + at(r + 1, c) - at(r, c) + marks[r * columns + c];
  }
  /// In rows [top, bottom) and columns [left, right), as far as they are there.
  Index within(Index top, Index bottom, Index left, Index right) {
    top = std::max<Index>(top, 0), left = std::max<Index>(left, 0);
    bottom = std::min(bottom, rows_), right = std::min(right, columns_);
    return at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left);
  }

 private:
  Index& at(Index r, Index c) { return sums_[r * (columns_ + 1) + c]; }
  Index rows_, columns_;
  std::vector<Index> sums_;
};

bool is_seen(const Matrix<float>& channels, Index pixel) {
  return channels.cols() > 0 && !std::isnan(channels(0, pixel));
}

}  // namespace

Index s2_channels(const std::vector<std::string>& bands) {
  return std::ssize(bands) + std::ssize(differences_of(bands));
}

PairScene channels_of(const std::string& name, const datasets::rasters::SceneWindow& shown,
                      const std::vector<std::string>& s2_bands) {
  PairScene scene{name, shown.window.rows, shown.window.columns, {}, {}, {}};
  if (shown.s1.size() > 0) {
    scene.s1.resize(kS1Channels, scene.pixels());
    scene.s1.topRows(2) = shown.s1;
    scene.s1.row(2) = shown.s1.row(1) - shown.s1.row(0);
  }
  if (shown.s2.size() == 0) return scene;
  const std::vector<flood::BandDifference> differences = differences_of(s2_bands);
  scene.s2.resize(s2_channels(s2_bands), scene.pixels());
  for (Index i = 0; i < scene.pixels(); ++i) {
    const auto number = [&](Index band) { return std::max(1.0F, shown.s2(band, i)); };
    const bool seen = shown.s2_valid.empty() || shown.s2_valid[i] != 0;
    if (!seen) {
      scene.s2.col(i).setConstant(std::numeric_limits<float>::quiet_NaN());
      continue;
    }
    for (Index b = 0; b < std::ssize(s2_bands); ++b) scene.s2(b, i) = std::log10(number(b));
    Index row = std::ssize(s2_bands);
    for (const flood::BandDifference& one : differences) {
      const float first = number(one.first), second = number(one.second);
      scene.s2(row++, i) = (first - second) / (first + second);
    }
  }
  return scene;
}

std::vector<Part> parts_of(Index rows, Index columns, const std::vector<std::int32_t>& split, const SplitPlan& plan) {
  const std::size_t count = rows * columns;
  std::vector<std::uint8_t> examined(count, 0), allowed(count, 1);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const std::size_t at = r * columns + c;
      const Index across = r / plan.block, along = c / plan.block;
      const bool test = split.empty() ? (across + 2 * along) % 3 == 0 : split[at] == 1;
      const bool teaches = split.empty() ? !test : split[at] == 0;
      allowed[at] = teaches ? 1 : 0;
      examined[at] = (plan.validation ? teaches && (3 * across + along) % 5 == 0 : test) ? 1 : 0;
    }
  Marked marked(rows, columns, examined);
  std::vector<Part> parts(count, Part::none);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const std::size_t at = r * columns + c;
      if (examined[at] != 0)
        parts[at] = Part::examined;
      else if (allowed[at] != 0 &&
               marked.within(r - plan.guard, r + plan.guard + 1, c - plan.guard, c + plan.guard + 1) == 0)
        parts[at] = Part::teaches;
    }
  return parts;
}

namespace {

void read_pair_scene(const std::string& list, const datasets::rasters::SceneEntry& entry,
                     const flood::SceneReading& reading, const SplitPlan& split, PairScenes& read) {
  const datasets::rasters::Scene scene(entry, flood::rules_of({read.s2_bands, reading.s1_unit, reading.s2_unit}));
  const datasets::rasters::SceneFacts& facts = scene.facts();
  if (read.s2_bands.empty()) read.s2_bands = facts.s2_bands;
  if (facts.rows > kMostScenePixels / facts.columns)
    throw DataError(concat(list, ": scene ", entry.name, " has ", facts.rows, " x ", facts.columns,
                           " pixels, but scenes to learn from may have at most ", kMostScenePixels,
                           "; cut it (gdal_translate -srcwin). fovea predict takes any size."));
  std::vector<std::string>& notes = read.reading.notes;
  notes.insert(notes.end(), facts.notes.begin(), facts.notes.end());
  const datasets::rasters::SceneWindow shown = scene.read({0, 0, facts.rows, facts.columns});
  PairScene pair = channels_of(entry.name, shown, read.s2_bands);
  pair.parts = parts_of(pair.rows, pair.columns, shown.split, split);
  if (!facts.has_split)
    notes.push_back(
        concat("scene ", entry.name, " has no split: every third block of ", split.block, " pixels is tested"));
  read.scenes.push_back(std::move(pair));
}

}  // namespace

/// What there is, and how the units are known.
void count_pixels(PairScenes& read, const std::string& s1_known_by, const std::string& s2_known_by) {
  study::Reading& reading = read.reading;
  reading.noun = "scene", reading.token = "pixel";
  reading.cases = reading.groups = std::ssize(read.scenes);
  Index neither = 0, none = 0;
  for (const PairScene& scene : read.scenes) {
    reading.tokens += scene.pixels();
    for (Index i = 0; i < scene.pixels(); ++i) {
      neither += is_seen(scene.s1, i) && is_seen(scene.s2, i) ? 0 : 1;
      none += scene.parts[i] == Part::none ? 1 : 0;
    }
  }
  reading.variables = {{"s1", "dB", s1_known_by, reading.cases},
                       {"s2", "10000 x reflectance", s2_known_by, reading.cases}};
  if (neither > 0) reading.left_out.push_back({"pixel", neither, "without data of one of the sensors"});
  if (none > 0) reading.left_out.push_back({"pixel", none, "within data.guard of what is examined, or for no part"});
}

PairScenes read_pair_scenes(const std::string& list, const flood::SceneReading& reading, const SplitPlan& split) {
  PairScenes read{reading.s2_bands, {}, {}};
  read.reading.files = {list};
  const std::vector<datasets::rasters::SceneEntry> listed = datasets::rasters::read_scene_list(list);
  for (const datasets::rasters::SceneEntry& entry : listed) {
    if (entry.s1.empty() || entry.s2.empty()) {
      read.reading.leave_out("scene", "without one of the sensors", entry.name);
      continue;
    }
    flood::reads_scene(entry.name, listed.size(), reading, read.reading.notes,
                       [&] { read_pair_scene(list, entry, reading, split, read); });
  }
  if (read.scenes.empty())
    throw DataError(concat(list, ": no scene has both sensors, which are to be matched; give s1 and s2."));
  const auto known_by = [](const std::string& stated, const char* key) {
    return stated == "auto" ? "its values, or assumed where these are too few" : concat("the key ", key);
  };
  count_pixels(read, known_by(reading.s1_unit, "data.units.s1"), known_by(reading.s2_unit, "data.units.s2"));
  read.reading.without_folders();
  return read;
}

PairScenes simulated_pair(Index side, double looks, double shift, const SplitPlan& split, const Random& random) {
  datasets::simulated::SensorScenePlan plan;
  plan.rows = plan.columns = side, plan.patch = 5, plan.looks = looks;
  plan.row_shift = plan.column_shift = shift;
  const datasets::simulated::SensorScene made = sensor_scene(plan, random);
  datasets::rasters::SceneWindow shown;
  shown.window = {0, 0, side, side};
  shown.s1 = (10 * made.backscatter.array().log10()).matrix().transpose().cast<float>();
  shown.s2 = (10000 * made.reflectance.array()).matrix().transpose().cast<float>();
  PairScenes pair{kMadeBands, {channels_of("simulated", shown, kMadeBands)}, {}};
  pair.scenes[0].parts = parts_of(side, side, {}, split);
  count_pixels(pair, "simulated", "simulated");
  return pair;
}

std::vector<Index> patches_of(const PairScene& scene, Part part, Index step) {
  std::vector<std::uint8_t> fits(scene.pixels(), 0);
  for (Index i = 0; i < scene.pixels(); ++i)
    fits[i] = scene.parts[i] == part && is_seen(scene.s1, i) && is_seen(scene.s2, i) ? 1 : 0;
  Marked marked(scene.rows, scene.columns, fits);
  std::vector<Index> patches;
  for (Index r = 0; r + kPatch <= scene.rows; r += step)
    for (Index c = 0; c + kPatch <= scene.columns; c += step)
      if (marked.within(r, r + kPatch, c, c + kPatch) == kPatch * kPatch) patches.push_back(r * scene.columns + c);
  return patches;
}

study::RepeatedCases repeated_patches(const std::vector<PairScene>& scenes) {
  const auto content = [](const PairScene& scene, Index pixel) {
    std::string bytes;
    for (Index r = 0; r < kPatch; ++r)
      for (const Matrix<float>* channels : {&scene.s1, &scene.s2}) {
        const Matrix<float> row = channels->middleCols(pixel + r * scene.columns, kPatch);
        bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float));
      }
    return std::hash<std::string>{}(bytes);
  };
  const auto place = [](const PairScene& scene, Index pixel) {
    return concat(scene.name, ':', pixel / scene.columns, ':', pixel % scene.columns);
  };
  std::unordered_map<std::size_t, std::string> taught;
  for (const PairScene& scene : scenes)
    for (const Index pixel : patches_of(scene, Part::teaches, kPatch))
      taught.emplace(content(scene, pixel), place(scene, pixel));
  study::RepeatedCases found;
  for (const PairScene& scene : scenes)
    for (const Index pixel : patches_of(scene, Part::examined, kPatch)) {
      ++found.tested;
      const auto like = taught.find(content(scene, pixel));
      if (like == taught.end()) continue;
      if (++found.repeated == 1) found.first = concat(place(scene, pixel), ", as ", like->second);
    }
  return found;
}

}  // namespace fovea::fusion::match
