// Patches of two sensors in one space: what teaches, what is found again, by how much images are shifted, what is
// written, and what is refused.

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/statistics/agreement/retrieval.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"
#include "fovea/domains/fusion/match/image_shift.hpp"
#include "fovea/domains/fusion/match/match_learning.hpp"
#include "fovea/domains/fusion/match/match_output.hpp"
#include "fovea/domains/fusion/match/match_scores.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::match {

namespace {

constexpr Index kMadeSide = 128;

PairScenes made_pair(double shift = 0, double looks = 16) {
  return simulated_pair(kMadeSide, looks, shift, {32, 0, false}, Random(7));
}

TeachingPlan small_teaching() {
  TeachingPlan plan;
  plan.model = {{"B02", "B03", "B04", "B08"}, 4, 16, 1, 4, 0};
  plan.members = 1, plan.groups = 60, plan.epochs = 3;
  return plan;
}

MatchModel taught(const PairScenes& pair, const TeachingPlan& plan = small_teaching()) {
  return learn_match(pair.scenes, plan, "made", Random(3), *plain_workbench()).model;
}

double recall_of_first(const ExaminedPatches& patches) {
  const Matrix<double> scores = patches.s1.cast<double>() * patches.s2.cast<double>().transpose();
  std::vector<Index> right(patches.pixels.size());
  for (std::size_t k = 0; k < right.size(); ++k) right[k] = static_cast<Index>(k);
  return recall_at(places_of_right(scores, right), 1);
}

/// The made scene as two GeoTIFFs and a list.
std::string write_made(const support::TemporaryFolder& folder, const std::string& list) {
  const PairScenes pair = made_pair();
  const auto write = [&](const std::string& name, const Matrix<float>& bands, const std::vector<std::string>& names) {
    datasets::rasters::RasterPlan plan;
    plan.rows = plan.columns = kMadeSide;
    for (const std::string& band : names) plan.bands.push_back({band});
    datasets::rasters::RasterWriter writer(folder.file(name), plan);
    writer.write(datasets::rasters::Window{0, 0, kMadeSide, kMadeSide}, bands.data());
    writer.finish();
  };
  write("s1.tif", pair.scenes[0].s1.topRows(2), {"VV", "VH"});
  Matrix<float> numbers = pair.scenes[0].s2.topRows(4);
  for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = std::pow(10.0F, numbers.data()[i]);
  write("s2.tif", numbers, {"B02", "B03", "B04", "B08"});
  std::ofstream(folder.file("scenes.csv")) << list;
  return folder.file("scenes.csv");
}

}  // namespace

TEST_CASE("No pixel both teaches and is near to what is examined") {
  const Index side = 96;
  for (const bool validation : {false, true}) {
    const std::vector<Part> parts = parts_of(side, side, {}, {16, 3, validation});
    Index teaching = 0, examined = 0;
    for (Index r = 0; r < side; ++r)
      for (Index c = 0; c < side; ++c) {
        const Part part = parts[r * side + c];
        examined += part == Part::examined ? 1 : 0;
        if (part != Part::teaches) continue;
        ++teaching;
        for (Index k = 0; k < 49; ++k) {
          const Index y = r + k / 7 - 3, x = c + k % 7 - 3;
          if (y < 0 || x < 0 || y >= side || x >= side) continue;
          REQUIRE(parts[y * side + x] != Part::examined);
        }
      }
    CHECK(teaching > 1000);
    CHECK(examined > 500);
  }
  std::vector<std::int32_t> split(side * side, 2);
  split[5] = 1, split[60] = 0;
  const std::vector<Part> given = parts_of(side, side, split, {16, 3, false});
  CHECK(given[5] == Part::examined);
  CHECK(given[60] == Part::teaches);
  CHECK(given[70] == Part::none);
}

TEST_CASE("Patches of both sensors are whole, and lie where they should") {
  PairScenes pair = made_pair();
  PairScene& scene = pair.scenes[0];
  const std::vector<Index> before = patches_of(scene, Part::examined, kPatch);
  REQUIRE(before.size() > 10);
  for (const Index pixel : before) CHECK((pixel / kMadeSide % kPatch == 0 && pixel % kMadeSide % kPatch == 0));
  scene.s1(0, before[2] + 3 * kMadeSide + 5) = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Index> after = patches_of(scene, Part::examined, kPatch);
  CHECK(after.size() == before.size() - 1);
  CHECK(std::find(after.begin(), after.end(), before[2]) == after.end());
}

TEST_CASE("Cells of a turned patch are those of the patch, laid the other way") {
  const PairScenes pair = made_pair();
  const Matrix<float>& s1 = pair.scenes[0].s1;
  const MatchPlan plan = small_teaching().model;
  const Standards none{std::vector<float>(6, 0), std::vector<float>(6, 1)};
  Matrix<float> plain(16, 6), turned(16, 6);
  write_cells(s1, kMadeSide, 40, 0, plan, none, 0, plain);
  CHECK(plain(5, 0) == Approx(s1.row(0).segment(40 + 4 * kMadeSide + 4, 4).sum() / 16 +
                              s1.row(0).segment(40 + 5 * kMadeSide + 4, 4).sum() / 16 +
                              s1.row(0).segment(40 + 6 * kMadeSide + 4, 4).sum() / 16 +
                              s1.row(0).segment(40 + 7 * kMadeSide + 4, 4).sum() / 16)
                           .epsilon(1e-4));
  for (int turn = 0; turn < 8; ++turn) {
    write_cells(s1, kMadeSide, 40, static_cast<Orientation>(turn), plan, none, 0, turned);
    for (Index t = 0; t < 16; ++t) {
      Index r = t / 4, c = t % 4;
      if ((turn & 2) != 0) r = 3 - r;
      if ((turn & 4) != 0) c = 3 - c;
      if ((turn & 1) != 0) std::swap(r, c);
      for (Index b = 0; b < 6; ++b) CHECK(turned(t, b) == Approx(plain(r * 4 + c, b)).margin(1e-3));
    }
  }
}

TEST_CASE("Patches that did not teach are found in the other sensor's image, and not where pairs are mixed up") {
  const PairScenes pair = made_pair();
  const ExaminedPatches patches = examine_patches(taught(pair), pair.scenes, 32);
  CHECK((patches.s1.rowwise().norm().array() - 1).abs().maxCoeff() < 1e-4F);
  const double chance = 1 / static_cast<double>(patches.pixels.size());
  CHECK(recall_of_first(patches) > 10 * chance);
  PairScenes mixed = pair;
  mixed.scenes[0].s1 = made_pair().scenes[0].s1.rowwise().reverse();
  CHECK(recall_of_first(examine_patches(taught(mixed), mixed.scenes, 32)) < 5 * chance);
}

TEST_CASE("A learned space has the same bits on any number of threads") {
  const PairScenes pair = made_pair();
  TeachingPlan plan = small_teaching();
  plan.groups = 6, plan.members = 2, plan.epochs = 1, plan.model.dropout = 0.1;
  const int before = omp_get_max_threads();
  std::string first;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const std::string hash = content_hash(match_model_dataset(taught(pair, plan), "fusion.match", 1));
    if (first.empty()) first = hash;
    CHECK(hash == first);
  }
  omp_set_num_threads(before);
}

TEST_CASE("The shift of a simulated radar is found, and so is a further move") {
  for (const double shift : {0.0, 0.6, -1.5}) {
    const PairScene scene = simulated_pair(160, 8, shift, {32, 0, false}, Random(9)).scenes[0];
    const ImageShift found = image_shift(scene, {}, Random(1));
    CHECK(found.row == Approx(shift).margin(0.25));
    CHECK(found.column == Approx(shift).margin(0.25));
    CHECK(found.row_low <= found.row);
    CHECK(found.row_high >= found.row);
    const ImageShift moved = image_shift(with_moved_s1(scene, 2, 1), {}, Random(1));
    CHECK(moved.row == Approx(found.row - 2).margin(0.25));
    CHECK(moved.column == Approx(found.column - 1).margin(0.25));
  }
}

TEST_CASE("Examined patches of a scene that teaches under another name are the same data twice") {
  PairScenes pair = made_pair();
  CHECK(repeated_patches(pair.scenes).tested > 4);
  CHECK(repeated_patches(pair.scenes).repeated == 0);
  pair.scenes.push_back(pair.scenes[0]);
  pair.scenes[0].parts.assign(pair.scenes[0].parts.size(), Part::teaches);
  const study::RepeatedCases found = repeated_patches(pair.scenes);
  CHECK(found.repeated == found.tested);
  CHECK(found.first.starts_with("simulated:"));
}

TEST_CASE("What was read of scenes says pixels, units and what was left out; images without gradients have no shift") {
  const support::TemporaryFolder folder;
  const PairScenes read = read_pair_scenes(write_made(folder, "scene,s1,s2\na,s1.tif,s2.tif\nb,s1.tif,\n"), {}, {});
  const std::vector<std::string> said = study::sentences_of(read.reading);
  CHECK(said[0] == "Read (scenes.csv): 1 scene, 16384 pixels of 2 variables.");
  CHECK(said[1].starts_with("Units: s1 [dB], s2 [10000 x reflectance] (its values"));
  CHECK(said[2].starts_with("Left out: 1 scene: without one of the sensors (b); "));
  PairScene flat = made_pair().scenes[0];
  flat.s1.setConstant(-11);
  CHECK(image_shift(flat, {}, Random(1)).correlation <= 0);
  CHECK(image_shift(made_pair().scenes[0], {}, Random(1)).correlation > 0);
}

TEST_CASE("A model of matching comes back from its file, and a changed one does not") {
  const PairScenes pair = made_pair();
  TeachingPlan plan = small_teaching();
  plan.groups = 4;
  const MatchModel model = taught(pair, plan);
  const Dataset data = match_model_dataset(model, "fusion.match", 1);
  const MatchModel back = read_match_model("m", data, 1);
  CHECK(content_hash(match_model_dataset(back, "fusion.match", 1)) == content_hash(data));
  CHECK_THROWS_AS(read_match_model("m", data, 2), DataError);
  Dataset changed = data;
  std::get<std::vector<std::int64_t>>(changed.at("cell").values)[0] = 8;
  CHECK_THROWS_AS(read_match_model("m", changed, 1), DataError);
  MatchModel wrong = model;
  wrong.plan.cell = 3;
  CHECK_THROWS_AS(read_match_model("m", match_model_dataset(wrong, "fusion.match", 1), 1), DataError);
}

TEST_CASE("Embeddings of scenes are written with their places; a sensor that no scene has is left out") {
  const support::TemporaryFolder folder;
  TeachingPlan plan = small_teaching();
  plan.groups = 4;
  const PairScenes pair = made_pair();
  const MatchModel model = taught(pair, plan);
  const std::string list = write_made(folder, "scene,s1,s2\nboth,s1.tif,s2.tif\n");
  write_embeddings(model, list, folder.file("out.h5"));
  const Dataset both = read_dataset(folder.file("out.h5"));
  CHECK(both.at("row").size() == 64);
  CHECK(std::get<std::vector<std::int64_t>>(both.at("column").values)[9] == 16);
  const std::vector<Index> tenth{16 * kMadeSide + 16};
  const Matrix<float> wanted = embed(model, Sensor::s1, pair.scenes[0].s1, kMadeSide, tenth);
  const auto& said = std::get<std::vector<float>>(both.at("embedding_s1").values);
  for (Index d = 0; d < wanted.cols(); ++d) CHECK(said[9 * wanted.cols() + d] == Approx(wanted(0, d)).margin(1e-4));
  std::ofstream(folder.file("one.csv")) << "scene,s1,s2\nradar,s1.tif,\n";
  write_embeddings(model, folder.file("one.csv"), folder.file("one.h5"));
  const Dataset one = read_dataset(folder.file("one.h5"));
  CHECK(one.has("embedding_s1"));
  CHECK_FALSE(one.has("embedding_s2"));
}

TEST_CASE("Scenes that cannot be matched are refused with the way out") {
  const support::TemporaryFolder folder;
  const std::string list = write_made(folder, "scene,s1,s2\nradar,s1.tif,\n");
  CHECK_THROWS_WITH(read_pair_scenes(list, {}, {}), Catch::Contains("no scene has both sensors"));
  PairScenes pair = made_pair();
  pair.scenes[0].parts.assign(pair.scenes[0].parts.size(), Part::examined);
  CHECK_THROWS_WITH(taught(pair), Catch::Contains("no two patches"));
  pair.scenes[0].s2.setConstant(std::numeric_limits<float>::quiet_NaN());
  CHECK_THROWS_WITH(image_shift(pair.scenes[0], {}, Random(1)), Catch::Contains("at least 4"));
}

}  // namespace fovea::fusion::match
