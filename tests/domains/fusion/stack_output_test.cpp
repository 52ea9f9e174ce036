// A stack with its gaps filled: what was seen keeps its bits, what is hidden is filled, files that do not fit are
// refused. A map of a stack.

#include "fovea/domains/fusion/gapfill/stack_output.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/rasters/raster_reader.hpp"
#include "fovea/domains/fusion/gapfill/gap_learning.hpp"
#include "fovea/domains/fusion/maps/stack_maps.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::gapfill {

namespace {

constexpr Index kSide = 24;

/// A simulated stack as a file: B02, B03, B04, B08 at full resolution, B11 and the scene classes at half of it.
struct StackFile {
  Index dates = 20;
  double scale = 10000;
  std::string coarse_band = "B11";
  Index coarse_rows = kSide / 2;
  bool classes = true, radar = true, clear = true, decibels = true, coarse = true;
};

std::vector<double> counts_of(const std::vector<Matrix<float>>& images, Index first, Index bands, Index factor,
                              Index rows, double scale) {
  std::vector<double> numbers;
  for (const Matrix<float>& image : images)
    for (Index b = first; b < first + bands; ++b)
      for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < kSide / factor; ++c)
          numbers.push_back(std::round(scale * static_cast<double>(image((r * kSide + c) * factor, b))));
  return numbers;
}

std::vector<double> classes_of(const std::vector<Flags>& clear, bool some_clear) {
  std::vector<double> classes;
  for (const Flags& flags : clear)
    for (Index r = 0; r < kSide; r += 2)
      for (Index c = 0; c < kSide; c += 2) classes.push_back(some_clear && flags[r * kSide + c] != 0 ? 4 : 9);
  return classes;
}

std::vector<double> seconds_of(const std::vector<double>& days) {
  std::vector<double> seconds;
  for (const double day : days) seconds.push_back(86400 * (17000 + day));
  return seconds;
}

std::vector<double> evenly(double first, double step) {
  std::vector<double> places(kSide);
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = first + step * static_cast<double>(k);
  return places;
}

std::string write_stack(const support::TemporaryFolder& folder, const std::string& name, const StackFile& plan) {
  datasets::simulated::stacks::CloudedStackPlan made;
  made.rows = made.columns = kSide;
  made.dates = plan.dates;
  const auto stack = clouded_stack(made, Random(2));
  const std::string empty = folder.file("empty.h5"), path = folder.file(name);
  Hdf5Columns file(empty);
  file.attribute("crs", "EPSG:32631");
  file.finish();
  const auto dates = static_cast<std::uint64_t>(plan.dates), side = static_cast<std::uint64_t>(kSide);
  std::vector<Hdf5Addition> arrays{{"/s2/r10m",
                                    {dates, 4, side, side},
                                    StoredNumber::int32,
                                    counts_of(stack.images, 0, 4, 1, kSide, plan.scale),
                                    {{"bands", "B02,B03,B04,B08"}}},
                                   {"/s2/r20m",
                                    {dates, 1, static_cast<std::uint64_t>(plan.coarse_rows), side / 2},
                                    StoredNumber::int32,
                                    counts_of(stack.images, 4, 1, 2, plan.coarse_rows, plan.scale),
                                    {{"bands", plan.coarse_band}}},
                                   {"/s2/time", {dates}, StoredNumber::float64, seconds_of(stack.days), {}},
                                   {"/x", {side}, StoredNumber::float64, evenly(500005, 10), {}},
                                   {"/y", {side}, StoredNumber::float64, evenly(5600235, -10), {}}};
  if (!plan.coarse) std::erase_if(arrays, [](const Hdf5Addition& array) { return array.path == "/s2/r20m"; });
  if (plan.classes)
    arrays.push_back(
        {"/s2/scl", {dates, side / 2, side / 2}, StoredNumber::int8, classes_of(stack.clear, plan.clear), {}});
  if (plan.radar) {
    std::vector<double> db;
    for (const Matrix<float>& image : stack.s1)
      for (Index b = 0; b < 2; ++b)
        for (Index i = 0; i < image.rows(); ++i) {
          const auto intensity = static_cast<double>(image(i, b));
          db.push_back(plan.decibels ? 10 * std::log10(intensity) : intensity);
        }
    const std::uint64_t radar_dates = stack.s1_days.size();
    arrays.push_back({"/s1/db", {radar_dates, 2, side, side}, StoredNumber::float32, db, {{"bands", "VV,VH"}}});
    arrays.push_back({"/s1/time", {radar_dates}, StoredNumber::float64, seconds_of(stack.s1_days), {}});
  }
  write_edited_copy(empty, path, {}, arrays);
  return path;
}

GapModel model_for(const std::string& path) {
  const ImageStack stack = image_stack(datasets::rasters::Stack(path));
  LearnPlan plan;
  plan.columns = {stack.bands, stack.s1_bands, 2, 8};
  plan.ridges = {0.1}, plan.holes = 1, plan.epochs = 1;
  return learn_gaps(stack, stack.clear, plan, Random(3), *plain_workbench()).model;
}

std::vector<double> all_numbers(const std::string& path, const std::string& array) {
  const Hdf5Rows file(path);
  const Hdf5Entry* entry = file.find(array);
  REQUIRE(entry != nullptr);
  return file.read<double>(*entry, 0, entry->rows());
}

/// What trees have a share of, unlike attention, is seen in every number.
const std::vector<std::string> kHalfTrees{"data.side=24",       "ensemble.members=2", "training.epochs=1",
                                          "explain.cases=0",    "trees.rounds=4",     "trees.forest=6",
                                          "trees.mixing=fixed", "trees.share=0.5"};

Matrix<double> rows_of_stack(const study::Study& study, const study::TrainedModel& model, const std::string& path) {
  Matrix<double> rows(0, 0);
  study.predict(model, path, {}, [&](const study::PredictedBlock& block) {
    const Index before = rows.rows(), more = block.predictions.mean.rows();
    rows.conservativeResize(before + more, block.predictions.mean.cols());
    rows.bottomRows(more) = block.predictions.mean;
  });
  return rows;
}

}  // namespace

TEST_CASE("a filled stack keeps what was seen, and says what was filled and how well", "[fusion]") {
  const support::TemporaryFolder folder;
  const std::string path = write_stack(folder, "stack.h5", {}), out = folder.file("out.h5");
  const GapModel model = model_for(path);
  const std::vector<std::string> said = write_filled_stack(model, path, out, true);
  CHECK(said.front().find("pixels of 20 dates filled") != std::string::npos);
  const ImageStack stack = image_stack(datasets::rasters::Stack(path)),
                   after = image_stack(datasets::rasters::Stack(out));
  const std::vector<double> filled = all_numbers(out, "/s2/filled"), spread = all_numbers(out, "/s2/spread");
  Index wrong = 0, gaps = 0;
  double error = 0;
  datasets::simulated::stacks::CloudedStackPlan plan;
  plan.rows = plan.columns = kSide, plan.dates = 20;
  const auto truth = clouded_stack(plan, Random(2));
  for (Index d = 0; d < stack.dates(); ++d)
    for (Index i = 0; i < stack.pixels(); ++i) {
      const std::size_t at = d, pixel = i;
      const bool seen = stack.clear[at][pixel] != 0;
      const auto place = at * static_cast<std::size_t>(stack.pixels()) + pixel;
      wrong += seen != (filled[place] == 0);
      if (seen) wrong += after.images[at].row(i) != stack.images[at].row(i);
      const double own = spread[(at * 5 + 3) * stack.pixels() + pixel];
      wrong += seen ? own != 0 : !(own > 0);
      if (seen) continue;
      ++gaps;
      error += std::abs(static_cast<double>(after.images[at](i, 3) - truth.ground[at](i, 3)));
    }
  CHECK(wrong == 0);
  CHECK(gaps > 1000);
  CHECK(error / static_cast<double>(gaps) < 0.03);  // clouds are .6, the ground is .24 to .45
  for (const char* same : {"/s2/scl", "/s2/time", "/s1/db", "/x"})
    CHECK(all_numbers(out, same) == all_numbers(path, same));
  const datasets::rasters::RasterReader raster(folder.file("out_2016-07-18_0.tif"));
  CHECK(raster.facts().bands[3].name == "B08");
  CHECK(raster.facts().place.system() == "EPSG:32631");
  CHECK(raster.facts().place.tie_points == std::vector<double>{0, 0, 0, 500000, 5600240, 0});
  write_filled_stack(model, path, folder.file("again.h5"), false);
  CHECK(support::text_of(folder.file("again.h5")) == support::text_of(out));
}

TEST_CASE("a stack without S1 is filled by the model that knew it, and that is said", "[fusion]") {
  const support::TemporaryFolder folder;
  const GapModel model = model_for(write_stack(folder, "stack.h5", {}));
  const std::vector<std::string> said =
      write_filled_stack(model, write_stack(folder, "bare.h5", {.radar = false}), folder.file("out.h5"), false);
  CHECK(said.back().find("the stack has no S1") == 0);
}

TEST_CASE("a stack without the bands at 20 m is filled by the model that knew them", "[fusion]") {
  const support::TemporaryFolder folder;
  const GapModel model = model_for(write_stack(folder, "stack.h5", {}));
  const std::string fine = write_stack(folder, "fine.h5", {.coarse = false}), out = folder.file("out.h5");
  CHECK(write_filled_stack(model, fine, out, false).back() ==
        "the stack has 4 of the model's 5 bands: pixels are compared by these");
  const ImageStack stack = image_stack(datasets::rasters::Stack(fine));
  const GapModel own = for_bands_of(model, stack);
  CHECK(own.plan.count() == model.plan.count() - 2);
  CHECK(own.members[0].log_widths[4] == model.members[0].log_widths[5]);   // after B02
  CHECK(own.members[0].log_widths[8] == model.members[0].log_widths[10]);  // S1 VV
  CHECK(own.scale == std::vector<double>(model.scale.begin(), model.scale.end() - 1));
}

TEST_CASE("stacks that do not fit are refused in one line, without an output", "[fusion]") {
  const support::TemporaryFolder folder;
  const std::string good = write_stack(folder, "good.h5", {});
  const GapModel model = model_for(good);
  const std::string out = folder.file("out.h5");
  const auto refusal = [&](const StackFile& plan) {
    const std::string path = write_stack(folder, "bad.h5", plan);
    const std::string said = support::refusal_of<DataError>([&] { write_filled_stack(model, path, out, false); });
    CHECK(said.starts_with(path + ": "));
    CHECK(said.find('\n') == std::string::npos);
    return said.substr(path.size() + 2);
  };
  CHECK(
      refusal({.coarse_band = "B12"}).starts_with("has the optical bands B02,B03,B04,B08,B12, but the model learned"));
  CHECK(refusal({.coarse_rows = 10}).starts_with("/s2/r20m has 10 x 12 pixels, but the finest images have 24 x 24"));
  CHECK(refusal({.classes = false}).starts_with("has no /s2/scl"));
  CHECK(refusal({.clear = false}).starts_with("no pixel of any date is clear"));
  CHECK(refusal({.decibels = false}).find("but backscatter in dB is mostly below 0") != std::string::npos);
  CHECK(refusal({.scale = 4}).starts_with("the largest clear reflectance of "));
  CHECK(support::refusal_of<DataError>([&] {
          write_filled_stack(model, good, out, false);
          write_filled_stack(model, out, folder.file("twice.h5"), false);
        }).find("has /s2/filled already") != std::string::npos);
  CHECK(folder.names() == std::set<std::string>{"bad.h5", "empty.h5", "good.h5", "out.h5"});
}

TEST_CASE("the map of a stack and the rows of its pixels are of the same mixture with trees", "[fusion][trees]") {
  const auto& study = dynamic_cast<const study::Study&>(support::experiment_of("fusion.pixels"));
  const Results results = support::run_of(study, kHalfTrees);
  CHECK(results.data.has("scores_of_random_forest_alone"));
  const support::TemporaryFolder folder;
  const std::string stack = write_stack(folder, "stack.h5", {}), out = folder.file("map.tif");
  study::TrainedModel model = study::read_model("m.h5", *results.model(), study.task());
  maps::write_stack_map(study.task(), model, {stack, out, "m.h5", {}, {}});
  const Matrix<double> rows = rows_of_stack(study, model, stack);
  const Index pixels = kSide * kSide;
  REQUIRE(rows.rows() == pixels);
  const std::vector<std::string> names = study.task().target(model.config).classes;
  const datasets::rasters::RasterReader classes(out), layers(folder.file("map_layers.tif"));
  const datasets::rasters::Window all{0, 0, kSide, kSide};
  std::vector<double> mapped(pixels), likelihood(rows.cols() * pixels);
  std::vector<Index> bands;
  for (Index c = 0; c < rows.cols(); ++c) bands.push_back(c);
  classes.read(all, std::vector<Index>{0}, mapped.data());
  layers.read(all, bands, likelihood.data());
  for (Index pixel = 0; pixel < pixels; ++pixel) {
    Index likeliest = 0;
    rows.row(pixel).maxCoeff(&likeliest);
    CHECK(mapped[pixel] == std::stod(names[likeliest]));
    for (Index c = 0; c < rows.cols(); ++c)  // layers keep 12 bits
      CHECK(std::abs(likelihood[c * pixels + pixel] - rows(pixel, c)) <= 1.3e-4 * rows(pixel, c));
  }
  model.trees.reset();
  CHECK((rows_of_stack(study, model, stack) - rows).cwiseAbs().maxCoeff() > 0.01);
}

}  // namespace fovea::fusion::gapfill
