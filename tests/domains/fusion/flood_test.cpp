// Pixels of scenes: what they are seen with, which of them teach, and what the points of a sweep read once.

#include <fstream>
#include <numeric>

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/core/lab/open_inputs.hpp"
#include "fovea/domains/fusion/model/sensor_findings.hpp"
#include "fovea/tests/domains/fusion/made_flood.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::SceneWindow;

const ColumnPlan kFloodPlan{kSimulatedBands, {3, 5}, {5, 11}};

TrainingScene flood_scene(Index side) { return simulated_scenes({.side = side, .cloud = 0.2}, Random(3)).front(); }

/// A part of a scene with whatever lies around it; beyond the scene nothing is valid.
SceneWindow part_of_scene(const SceneWindow& shown, Index row, Index column, Index rows, Index columns) {
  SceneWindow part;
  part.window = {row, column, rows, columns};
  part.s1 = Matrix<float>::Constant(2, rows * columns, NAN), part.s2 = Matrix<float>::Constant(4, rows * columns, NAN);
  part.s1_valid.assign(rows * columns, 0), part.s2_valid = part.s1_valid;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const Index y = row + r, x = column + c;
      if (y < 0 || x < 0 || y >= shown.window.rows || x >= shown.window.columns) continue;
      const Index from = y * shown.window.columns + x, to = r * columns + c;
      part.s1.col(to) = shown.s1.col(from), part.s2.col(to) = shown.s2.col(from);
      part.s1_valid[to] = shown.s1_valid[from];
      part.s2_valid[to] = shown.s2_valid[from];
    }
  return part;
}

/// Twelve fields of two crops, which S1 shows on five dates.
std::string write_fields(const TemporaryFolder& folder) {
  const std::string empty = folder.file("empty.h5"), path = folder.file("fields.h5");
  Hdf5Columns(empty).finish();
  std::vector<double> crops(12, 1);
  std::fill_n(crops.begin(), 6, 2);
  const std::vector<double> seconds{0, 1e6, 2e6, 3e6, 4e6};
  write_edited_copy(empty, path, {},
                    {{"/s1", {12, 5, 2}, StoredNumber::float32, std::vector<double>(120, -9.0), {{"bands", "VV,VH"}}},
                     {"/class4", {12}, StoredNumber::int32, crops, {}},
                     {"/time", {5}, StoredNumber::float64, seconds, {}}});
  return path;
}

/// A scene whose upper half is of one class, its lower half of another.
std::string write_labelled_scene(const TemporaryFolder& folder) {
  support::write_scene(folder, "a");
  auto plan = support::made_plan(70, 90, datasets::rasters::SampleType::uint8, {"class"});
  support::write_made_raster(folder.file("a_labels.tif"), plan,
                             [](Index, Index row, Index) { return row < 35 ? 1.0 : 2.0; });
  std::ofstream(folder.file("scenes.csv")) << "scene,s1,s2,labels\na,a_s1.tif,a_s2.tif,a_labels.tif\n";
  return folder.file("scenes.csv");
}

/// Whether a point with this change gets the very cases of one without.
bool shares(const std::string& name, std::vector<std::string> set, const std::string& change) {
  const Experiment& experiment = support::experiment_of(name);
  OpenInputs opened;
  const auto cases = opened.of(experiment, support::config_of(name, set)).as<study::Cases>();
  set.push_back(change);
  return opened.of(experiment, support::config_of(name, set)).as<study::Cases>() == cases;
}

}  // namespace

TEST_CASE("means of squares are those of the valid pixels in them", "[fusion][flood]") {
  const TrainingScene scene = flood_scene(48);
  const SceneWindow& shown = scene.shown;
  const Index margin = kFloodPlan.margin();
  REQUIRE(margin == 5);
  const PixelColumns seen =
      pixel_columns(kFloodPlan, part_of_scene(shown, -margin, -margin, 48 + 2 * margin, 48 + 2 * margin));
  REQUIRE(seen.s2.rows() == kFloodPlan.s2_columns());
  const Index channels = kFloodPlan.s2_channels();
  CHECK(channels == 6);  // four bands, NDVI, NDWI
  for (const Index pixel : {Index{0}, Index{47}, Index{20 * 48 + 17}, Index{48 * 48 - 1}}) {
    double sum = 0, count = 0;
    for (Index r = pixel / 48 - 5; r <= pixel / 48 + 5; ++r)
      for (Index c = pixel % 48 - 5; c <= pixel % 48 + 5; ++c) {
        if (r < 0 || c < 0 || r > 47 || c > 47 || shown.s2_valid[r * 48 + c] == 0) continue;
        sum += static_cast<double>(shown.s2(2, r * 48 + c)) / 10000, ++count;
      }
    if (count > 0) CHECK(seen.s2(2 * channels + 2, pixel) == Approx(sum / count).epsilon(1e-5));
    CHECK(seen.s2_valid[pixel] == shown.s2_valid[pixel]);
  }
}

TEST_CASE("a pixel has the same columns in any window", "[fusion][flood][property]") {
  const TrainingScene scene = flood_scene(60);
  const Index margin = kFloodPlan.margin(), all = 60 + 2 * margin;
  const PixelColumns whole = pixel_columns(kFloodPlan, part_of_scene(scene.shown, -margin, -margin, all, all));
  for (const auto& [row, column, rows, columns] :
       std::vector<std::array<Index, 4>>{{0, 0, 1, 60}, {7, 3, 20, 31}, {59, 59, 1, 1}, {30, 0, 30, 13}}) {
    const PixelColumns part = pixel_columns(
        kFloodPlan, part_of_scene(scene.shown, row - margin, column - margin, rows + 2 * margin, columns + 2 * margin));
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c) {
        const Index here = r * columns + c, there = (row + r) * 60 + column + c;
        REQUIRE((part.s1.col(here).array() == whole.s1.col(there).array()).all());
        if (whole.s2_valid[there] == 0) continue;
        REQUIRE((part.s2.col(here).array() == whole.s2.col(there).array()).all());
      }
  }
}

TEST_CASE("tested and validation pixels keep a guard from pixels that teach", "[fusion][flood]") {
  const std::vector<TrainingScene> scenes = simulated_scenes({.side = 120, .cloud = 0}, Random(3));
  ChoicePlan plan;
  plan.block = 24, plan.guard = 3, plan.training = 1 << 20, plan.validation = 1 << 20;
  const std::vector<ChosenPixel> chosen = choose_pixels(scenes, plan);
  std::vector<std::string> parts(120 * 120);
  std::set<std::string> seen;
  for (const ChosenPixel& one : chosen)
    if (one.scene == 0) parts[one.pixel] = one.part, seen.insert(one.part);
  CHECK(seen == std::set<std::string>{"training", "validation", "test"});
  for (Index i = 0; i < 120 * 120; ++i) {
    if (parts[i] != "test") continue;
    for (Index r = std::max<Index>(i / 120 - 3, 0); r <= std::min<Index>(i / 120 + 3, 119); ++r)
      for (Index c = std::max<Index>(i % 120 - 3, 0); c <= std::min<Index>(i % 120 + 3, 119); ++c)
        REQUIRE(parts[r * 120 + c] != "training");
  }
}

TEST_CASE("clouds hide the asked share of S2, and S1 is moved as stated", "[fusion][flood]") {
  const TrainingScene scene = flood_scene(64);
  Rendition rendition;
  rendition.cover = 0.45, rendition.cover_side = 9, rendition.down = 1, rendition.right = -2;
  const TrainingScene clear = simulated_scenes({.side = 64, .cloud = 0}, Random(3)).front();
  const SceneWindow made = rendered(clear, kSimulatedBands, rendition, Random(1));
  const auto hidden = std::count(made.s2_valid.begin(), made.s2_valid.end(), 0);
  CHECK(hidden == Approx(0.45 * 64 * 64).margin(1));
  const SceneWindow moved = rendered(scene, kSimulatedBands, rendition, Random(1));
  CHECK(moved.s1(0, 10 * 64 + 10) == scene.shown.s1(0, 9 * 64 + 12));
  CHECK(moved.s1_valid[0] == 0);  // nothing is known of the row above
}

TEST_CASE("clouds that nobody announces are in the values alone, brighter than water and land", "[fusion][flood]") {
  const TrainingScene scene = simulated_scenes({.side = 64, .cloud = 0}, Random(3)).front();
  Rendition rendition;
  rendition.cover = 0.3, rendition.announced = false;
  const SceneWindow made = rendered(scene, kSimulatedBands, rendition, Random(1));
  const std::vector<std::uint8_t> cloudy = cloudy_pixels(scene, rendition, Random(1));
  CHECK(std::count(cloudy.begin(), cloudy.end(), 1) == Approx(0.3 * 64 * 64).margin(1));
  CHECK(made.s2_valid == scene.shown.s2_valid);
  CHECK(made.labels == scene.shown.labels);
  for (Index i = 0; i < 64 * 64; ++i) {
    const float now = made.s2(0, i), before = scene.shown.s2(0, i);
    if (cloudy[i] != 0)
      REQUIRE(now > 0.9F * kLeastOpacity * kDarkestCloud * 10000);  // thinnest and darkest cloud
    else
      REQUIRE(now == before);
  }
}

TEST_CASE("a mask that examines does not hide", "[fusion][flood]") {
  TrainingScene scene = simulated_scenes({.side = 48, .cloud = 0}, Random(3)).front();
  scene.mask.assign(48 * 48, 0);
  scene.mask[100] = 1;
  Rendition rendition;
  rendition.by_mask = true, rendition.cover = 0.5;
  const SceneWindow made = rendered(scene, kSimulatedBands, rendition, Random(1));
  CHECK(std::count(made.s2_valid.begin(), made.s2_valid.end(), 0) == 1);
  CHECK(made.s2_valid[100] == 0);
}

TEST_CASE("blocks that choose and blocks that examine in their place differ, and no tested block is among them",
          "[fusion][flood]") {
  const std::vector<TrainingScene> scenes = simulated_scenes({.side = 120, .cloud = 0}, Random(3));
  ChoicePlan plan;
  plan.block = 24, plan.guard = 3, plan.training = 1 << 20, plan.validation = 1 << 20;
  std::set<std::pair<Index, Index>> tested;
  for (const ChosenPixel& one : choose_pixels(scenes, plan))
    if (one.part == "test") tested.insert({one.scene, one.pixel});
  plan.examine_others = true;
  for (plan.fold = 0; plan.fold < 5; ++plan.fold) {
    std::set<std::string> parts;
    for (const ChosenPixel& one : choose_pixels(scenes, plan)) {
      parts.insert(one.part);
      REQUIRE(tested.count({one.scene, one.pixel}) == 0);
    }
    CHECK(parts == std::set<std::string>{"training", "validation", "test"});
  }
}

TEST_CASE("points of a sweep share their cases unless they differ in what is read", "[fusion][inputs]") {
  const support::TemporaryFolder folder;
  for (const std::string& path : {write_fields(folder), write_labelled_scene(folder)})
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const std::vector<std::string> crops{"data.file=" + folder.file("fields.h5"), "data.class_fields=4"};
  for (const char* change :
       {"training.epochs=3", "training.alone=1", "model.width=8", "data.fields=50", "data.cloud=0"})
    CHECK(shares("fusion.crops", crops, change));
  CHECK_FALSE(shares("fusion.crops", crops, "training.folds=0"));
  const std::vector<std::string> flood{"data.scenes=" + folder.file("scenes.csv"), "data.block=12", "data.guard=1",
                                       "training.renditions=0"};
  for (const char* change : {"training.epochs=3", "model.width=8", "data.side=60", "data.looks=2"})
    CHECK(shares("fusion.flood", flood, change));
  CHECK_FALSE(shares("fusion.flood", flood, "data.pixels=200"));
  Config pixels = support::config_of("fusion.pixels", {"data.file=" + folder.file("fields.h5")});
  std::set<std::string, std::less<>> asked;
  pixels.note_asked(&asked);
  CHECK_THROWS_AS(support::experiment_of("fusion.pixels").open(pixels), DataError);  // no stack of dates
  CHECK((asked.contains("data.means") && !asked.contains("data.side") && !asked.contains("training.epochs")));
}

TEST_CASE("painted clouds, which widen the training range, are noted where there are some", "[fusion]") {
  const std::vector<TrainingScene> scenes{flood_scene(48)};
  const auto noted = [&](Index renditions, double cover,
                         const std::string& words = "painted into copies of the training scenes widen") {
    FloodSettings settings;
    settings.choice.block = 16, settings.choice.guard = 1, settings.choice.renditions = renditions;
    settings.added_cover = cover;
    const study::Reading reading = reading_of(settings, scenes, choose_pixels(scenes, settings.choice), {});
    return std::any_of(reading.notes.begin(), reading.notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  CHECK(noted(2, 0.3));
  CHECK_FALSE(noted(1, 0.3));  // the first copy has clouds that hide
  CHECK_FALSE(noted(4, 0));
  CHECK(noted(1, 0, "shown as in altered copies"));
  CHECK_FALSE(noted(0, 0, "shown as in altered copies"));
}

TEST_CASE("a scene that cannot be read is refused with the way out, or left out with a note", "[fusion]") {
  const support::TemporaryFolder folder;
  support::write_scene(folder, "a"), support::write_scene(folder, "b");
  std::ofstream(folder.file("labels.tif")) << "none";
  std::ofstream(folder.file("scenes.csv"))
      << "scene;s1;s2;labels\na;a_s1.tif;a_s2.tif;\nb;b_s1.tif;b_s2.tif;labels.tif\n";
  std::vector<std::string> notes;
  SceneReading reading;
  const auto read = [&] { read_training_scenes(folder.file("scenes.csv"), reading, notes); };
  CHECK(support::refusal_of<DataError>(read).ends_with(
      "To leave out scenes that cannot be read: --set data.bad='leave out'."));
  reading.leave_out_bad = true, notes.clear();
  CHECK(support::refusal_of<DataError>(read).find("no scene has labels") != std::string::npos);
  REQUIRE(notes.size() == 2);
  CHECK(notes[1].starts_with("scene b is left out: "));
}

namespace {

Results few_plains(const std::vector<std::string>& more) {
  std::vector<std::string> set{"data.side=48",
                               "data.block=12",
                               "data.guard=1",
                               "data.pixels=2000",
                               "training.epochs=2",
                               "training.renditions=4",
                               "data.teaching=2",
                               "model.width=8",
                               "model.s1_sides=[3]",
                               "model.s2_sides=[3]",
                               "ensemble.members=1",
                               "explain.cases=5",
                               "data.validation_pixels=500"};
  set.insert(set.end(), more.begin(), more.end());
  return support::run_of("fusion.flood", set);
}

}  // namespace

TEST_CASE("who wins is said of the same pixels of scenes that are tested whole", "[fusion][flood][findings]") {
  const Results clouded = few_plains({"data.tested=2"});
  const auto numbers = [](const Results& results, const char* name) { return results.data.at(name).reals(); };
  CHECK(clouded.data.at("answerer_mean_iou").reals()[0] == clouded.data.at("sky_mean_iou").reals()[0]);
  CHECK(numbers(clouded, "answerer_mean_iou")[1] == numbers(clouded, "sky_mean_iou_s1")[0]);
  CHECK(numbers(clouded, "answerer_cloudless_mean_iou")[0] == numbers(clouded, "sky_mean_iou")[1]);
  CHECK(numbers(clouded, "answerer_mean_iou")[5] != numbers(clouded, "answerer_mean_iou")[4]);  // below clouds S1
  CHECK(numbers(clouded, "answerer_cloudless_mean_iou")[5] == numbers(clouded, "answerer_cloudless_mean_iou")[4]);
  const auto said = [](const Results& results, const std::string& shown) {
    return std::count_if(results.findings().begin(), results.findings().end(), [&](const Finding& finding) {
      return finding.kind.starts_with("fusing_") && finding.sentence.starts_with(shown);
    });
  };
  CHECK((said(clouded, "As the scenes are") == 1 && said(clouded, "Without clouds") == 1));
  for (const Finding& finding : clouded.findings())
    if (finding.kind.starts_with("fusing_")) CHECK(finding.sentence.find("of 2 scenes") != std::string::npos);
  const auto& pixels = numbers(clouded, "wrong_pixels");
  CHECK(std::accumulate(pixels.begin(), pixels.end(), 0.0) == 2 * 48 * 48);
  const Results clear = few_plains({"data.cloud=0"});
  CHECK((said(clear, "As the scenes are") == 1 && said(clear, "Without clouds") == 0));
  CHECK_FALSE(clear.data.has("answerer_cloudless_mean_iou"));
  for (const Finding& finding : clear.findings())
    if (finding.kind.starts_with("fusing_")) CHECK(finding.sentence.find(" blocks)") != std::string::npos);
}

TEST_CASE("fusing costs where its interval is below 0, and trees of both are less, more, or as good",
          "[fusion][findings]") {
  FusingDoesNotHelp found = FusingDoesNotHelp::example();
  CHECK(found.sentence().starts_with("Without clouds, fusing is not shown to help:"));
  found.high = -0.0001;
  CHECK(found.sentence().starts_with("Without clouds, fusing costs:"));
  StackedTrees trees = StackedTrees::example();
  CHECK(trees.sentence().find("not shown to differ") != std::string::npos);
  trees.low = 0.001;
  CHECK(trees.sentence().find("less than attention") != std::string::npos);
  trees.low = -0.02, trees.high = -0.001;
  CHECK(trees.sentence().find("more than attention") != std::string::npos);
}

}  // namespace fovea::fusion::flood
