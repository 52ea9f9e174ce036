// Maps of scenes: the packed network says what the model says, no window, thread or order of scenes changes a byte, and
// what was stopped goes on.

#include "fovea/core/study/predict/unfamiliar.hpp"
#include "fovea/domains/fusion/maps/scene_maps.hpp"

#include <fstream>
#include <thread>

#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/datasets/rasters/raster_reader.hpp"
#include "fovea/domains/fusion/maps/column_rows.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/tests/domains/fusion/made_flood.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::maps {

namespace {

namespace fs = std::filesystem;
using support::MadeFlood;
using support::MadeScene;

std::array<std::vector<std::string>, 2> column_names(const flood::ColumnPlan& plan) {
  std::array<std::vector<std::string>, 2> names;
  for (const auto& [name, unit] : plan.names()) names[std::ssize(names[0]) < plan.s1_columns() ? 0 : 1].push_back(name);
  return names;
}

/// What the network says of cases of pixels, whatever sensors each has.
struct PackedAnswers {
  Matrix<double> probabilities, trust;
  std::vector<double> entropy, spread;
};

PackedAnswers packed_answers(const MadeFlood& made, const study::Cases& cases, Index first, Index count) {
  const flood::ColumnPlan plan = made.plan().columns;
  const PixelNetwork network("model.h5", made.model, made.target, column_names(plan));
  const Index stride = whole_groups<float>(count + kGroup<float>), classes = network.classes();
  std::array<AlignedVector<float>, 2> columns, valid;
  const std::array<Index, 2> counts{plan.s1_columns(), plan.s2_columns()};
  for (std::size_t s = 0; s < 2; ++s) {
    columns[s].assign(counts[s] * stride, 0.0F);
    valid[s].assign(stride, 0.0F);
  }
  for (Index k = 0; k < count; ++k)
    for (Index i = cases.offsets[first + k]; i < cases.offsets[(first + k) + 1]; ++i) {
      const std::size_t s = cases.kinds[i];
      valid[s][k] = 1;
      for (Index c = 0; c < counts[s]; ++c) columns[s][c * stride + k] = cases.values(i, (s == 0 ? 0 : counts[0]) + c);
    }
  PixelNetwork::Work work;
  AlignedVector<float> memory((classes + 6) * stride, 0.0F);
  PixelNetwork::OutsideCounts outside;
  float* const p = memory.data();
  network.answer({{columns[0].data(), columns[1].data()}, {valid[0].data(), valid[1].data()}, count, stride}, work,
                 {p, p + classes * stride, p + (classes + 2) * stride, p + (classes + 3) * stride,
                  p + (classes + 4) * stride, p + (classes + 5) * stride},
                 outside);
  PackedAnswers said{Matrix<double>(count, classes), Matrix<double>(count, 2), {}, {}};
  for (Index k = 0; k < count; ++k) {
    for (Index c = 0; c < classes; ++c) said.probabilities(k, c) = static_cast<double>(p[c * stride + k]);
    for (Index s = 0; s < 2; ++s) said.trust(k, s) = static_cast<double>(p[(classes + s) * stride + k]);
    said.entropy.push_back(static_cast<double>(p[(classes + 3) * stride + k]));
    said.spread.push_back(static_cast<double>(p[(classes + 4) * stride + k]));
  }
  return said;
}

std::vector<std::string> write_maps(const MadeFlood& made, const std::string& list, const std::string& output,
                                    Index window = 512, std::size_t memory = std::size_t{256} << 20) {
  ScenePlan plan = made.plan();
  plan.window = window;
  return write_scene_maps(made.model, plan, {list, output, "model.h5", "hash", {}, memory});
}

/// Both files of a map, one after the other.
std::string bytes_of_map(const std::string& folder, const std::string& scene) {
  return support::text_of(folder + "/" + scene + ".tif") + support::text_of(folder + "/" + scene + "_layers.tif");
}

std::vector<double> band_of(const std::string& path, Index band) {
  const datasets::rasters::RasterReader reader(path);
  std::vector<double> values(reader.facts().whole().pixels());
  reader.read(reader.facts().whole(), std::vector<Index>{band}, values.data());
  return values;
}

/// With so many threads, and as before at its end.
struct Threads {
  explicit Threads(int count) : before(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before); }
  int before;
};

}  // namespace

TEST_CASE("the packed network says what the model says, whatever sensor is lost", "[fusion][maps][twin]") {
  constexpr double kRounding = 1e-5;  // of products in another order, in float
  const MadeFlood made(3);
  for (const Index lost : {-1, 0, 1}) {
    const study::Cases cases = model::without_sensor(made.cases, lost);
    const Index count = 500;
    std::vector<Index> items;
    for (Index k = 0; k < count; ++k) items.push_back(k);
    const Matrix<float> inputs = study::prepared(made.model.preparation, cases);
    std::vector<Matrix<double>> outputs;
    for (const study::Member& member : made.model.members)
      outputs.push_back(study::outputs_of(member, made.target, cases, inputs, items, 4096));
    study::Predictions wanted = study::combined(made.target, outputs, made.model.calibration, 0, 1);
    std::vector<double> shares = study::shares_outside(made.model.preparation, cases);
    shares.resize(count);
    study::fall_back(shares, wanted);
    const Matrix<double> trust = study::sides_of(made.model.members, cases, inputs, items, 4096);
    const PackedAnswers said = packed_answers(made, cases, 0, count);
    for (Index k = 0; k < count; ++k) {
      if (cases.size(k) == 0) continue;
      Index best = 0;
      wanted.mean.row(k).maxCoeff(&best);
      REQUIRE((said.probabilities.row(k) - wanted.mean.row(k)).cwiseAbs().maxCoeff() < kRounding);
      REQUIRE((said.trust.row(k) - trust.row(k)).cwiseAbs().maxCoeff() < kRounding);
      REQUIRE(std::abs(said.spread[k] - wanted.spread(k, best)) < kRounding);
      const double entropy = -(wanted.mean.row(k).array() * wanted.mean.row(k).array().log()).sum();
      REQUIRE(std::abs(said.entropy[k] - entropy) < 5 * kRounding);
      if (lost >= 0) REQUIRE(said.trust(k, lost) == 0);
    }
  }
}

TEST_CASE("a pixel is answered alike in any company", "[fusion][maps][property]") {
  const MadeFlood made;
  const PackedAnswers all = packed_answers(made, made.cases, 0, 300), some = packed_answers(made, made.cases, 100, 37),
                      one = packed_answers(made, made.cases, 120, 1);
  CHECK((all.probabilities.middleRows(100, 37).array() == some.probabilities.array()).all());
  CHECK((all.trust.middleRows(100, 37).array() == some.trust.array()).all());
  CHECK((all.probabilities.row(120).array() == one.probabilities.row(0).array()).all());
  CHECK(all.spread[120] == one.spread[0]);
}

TEST_CASE("normal scores as straight pieces are those of the quantiles", "[fusion][maps][twin]") {
  std::vector<double> quantiles;
  for (std::size_t k = 0; k < study::kClassQuantiles; ++k) quantiles.push_back(0.1 + 1e-3 * static_cast<double>(k * k));
  for (std::size_t k = 20; k < 35; ++k) quantiles[k] = 0.5;  // many pixels of one value, which a float holds
  for (std::size_t k = 60; k < 64; ++k) quantiles[k] = quantiles[60];
  std::sort(quantiles.begin(), quantiles.end());
  const PieceTable table = score_pieces(quantiles);
  std::vector<float> x{-1, 0.5F, std::nextafterf(0.5F, 1), std::nextafterf(0.5F, 0), 20, 1e30F, -1e30F};
  for (Index k = 0; k < 400; ++k) x.push_back(static_cast<float>(0.05 + 0.028 * static_cast<double>(k)));
  for (const double quantile : quantiles) x.push_back(static_cast<float>(quantile));
  const auto count = static_cast<Index>(x.size());
  x.resize(whole_groups<float>(count), NAN);
  std::string first;
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    const MapKernels* loops = map_kernels_for(set);
    if (loops == nullptr) continue;
    std::vector<float> y(x.size(), 0);
    loops->pieces(table, x.data(), count, y.data());
    for (Index i = 0; i < count; ++i)
      REQUIRE(static_cast<double>(y[i]) ==
              Approx(study::normal_score(quantiles, static_cast<double>(x[i]))).margin(2e-6));
    const std::string bytes(reinterpret_cast<const char*>(y.data()), static_cast<std::size_t>(count) * sizeof(float));
    if (first.empty()) first = bytes;
    CHECK(bytes == first);
  }
}

TEST_CASE("the network's GELU is within 1e-6 of x Phi(x) on every instruction set, with the same bits",
          "[fusion][maps][twin]") {
  std::vector<float> x;
  for (Index k = 0; k < 16000; ++k) x.push_back(static_cast<float>(0.001 * static_cast<double>(k - 8000)));
  std::vector<float> first;
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    const MapKernels* loops = map_kernels_for(set);
    if (loops == nullptr) continue;
    std::vector<float> y(x.size(), 0);
    loops->gelu(x.data(), std::ssize(x), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<double>(x[i]);
      worst = std::max(worst, std::abs(static_cast<double>(y[i]) - at * 0.5 * std::erfc(-at / std::sqrt(2.0))));
    }
    CHECK(worst < 1.2e-6);
    if (set == InstructionSet::avx512 && !first.empty()) CHECK(y == first);
    if (set == InstructionSet::avx2) first = y;
  }
}

TEST_CASE("columns row by row are those of a whole window, bit for bit", "[fusion][maps][twin]") {
  const MadeFlood made;
  const flood::ColumnPlan plan = made.plan().columns;
  const Index margin = plan.margin(), rows = 23, columns = 41;
  const TemporaryFolder folder(support::memory_disk());
  support::write_scene(folder, "a");
  const datasets::rasters::Scene scene({"a", folder.file("a_s1.tif"), folder.file("a_s2.tif"), {}, {}, {}},
                                       flood::rules_of(made.plan().reading));
  const auto shown = scene.read({-margin, 50 - margin, rows + 2 * margin, columns + 2 * margin});
  const flood::PixelColumns wanted = flood::pixel_columns(plan, shown);
  ColumnRows made_rows(plan, columns);
  made_rows.begin(shown);
  for (Index r = 0; r < rows; ++r) {
    const PixelRow row = made_rows.next();
    for (std::size_t s = 0; s < 2; ++s) {
      const Matrix<float>& all = s == 0 ? wanted.s1 : wanted.s2;
      for (Index i = 0; i < columns; ++i) {
        const std::size_t pixel = r * columns + i;
        REQUIRE((row.valid[s][i] != 0) == ((s == 0 ? wanted.s1_valid : wanted.s2_valid)[pixel] != 0));
        if (row.valid[s][i] == 0) continue;
        for (Index c = 0; c < all.rows(); ++c)
          REQUIRE(row.columns[s][c * row.stride + i] == all(c, static_cast<Index>(pixel)));
      }
    }
  }
}

TEST_CASE("maps have the same bytes for any window, threads, memory and order of scenes", "[fusion][maps][threads]") {
  const MadeFlood made;
  const TemporaryFolder folder(support::memory_disk());
  support::write_scene(folder, "a", {300, 290, 3, 64});
  support::write_scene(folder, "b", {40, 530, 4, 32});
  write_maps(made, support::write_scene_list(folder, {"a", "b"}), folder.file("plain"));
  const std::string a = bytes_of_map(folder.file("plain"), "a"), b = bytes_of_map(folder.file("plain"), "b");
  REQUIRE(a.size() > 1000);
  CHECK(folder.names().size() == 6);  // nothing but four files, the list and the folder of maps
  CHECK(std::distance(fs::directory_iterator(folder.file("plain")), fs::directory_iterator()) == 4);
  for (const int threads : {1, 2, 3, 5}) {
    const Threads some(threads);
    const std::string out = folder.file("threads" + std::to_string(threads));
    write_maps(made, support::write_scene_list(folder, {"b", "a"}), out, 100 * threads - 37);
    CHECK(bytes_of_map(out, "a") == a);
    CHECK(bytes_of_map(out, "b") == b);
  }
  write_maps(made, support::write_scene_list(folder, {"a"}), folder.file("small"), 512, kLeastMapMemory);
  CHECK(bytes_of_map(folder.file("small"), "a") == a);
}

TEST_CASE("no data are there where no sensor shows anything, and nowhere else", "[fusion][maps]") {
  const MadeFlood made;
  const TemporaryFolder folder(support::memory_disk());
  MadeScene scene{220, 240, 3, 64};
  const auto hidden = [](Index r, Index c) { return r >= 60 && r < 160 && c >= 70 && c < 170; };
  scene.change_s1 = [&](Index, Index r, Index c, double value) { return hidden(r, c) ? NAN : value; };
  scene.change_s2 = [&](Index, Index r, Index c, double value) { return hidden(r, c) ? 0 : value; };
  support::write_scene(folder, "a", scene);
  write_maps(made, support::write_scene_list(folder, {"a"}), folder.file("out"));
  const std::vector<double> classes = band_of(folder.file("out/a.tif"), 0),
                            probability = band_of(folder.file("out/a_layers.tif"), 0),
                            trust_s2 = band_of(folder.file("out/a_layers.tif"), 3);
  const datasets::rasters::RasterReader map(folder.file("out/a.tif"));
  CHECK(map.facts().missing_text == "255");
  CHECK(map.facts().sample == datasets::rasters::SampleType::uint8);
  Index missing = 0, without_s2 = 0;
  for (Index i = 0; i < 220 * 240; ++i) {
    const std::size_t at = i;
    REQUIRE(std::isnan(classes[at]) == hidden(i / 240, i % 240));
    REQUIRE(std::isnan(probability[at]) == hidden(i / 240, i % 240));
    missing += std::isnan(classes[at]) ? 1 : 0, without_s2 += trust_s2[at] == 0 ? 1 : 0;
  }
  CHECK(missing == 100 * 100);
  CHECK(without_s2 > 1000);  // clouds of the simulated scene
}

TEST_CASE("a scene unlike those of the training is said, and its entropy is higher", "[fusion][maps]") {
  const MadeFlood made;
  const TemporaryFolder folder(support::memory_disk());
  const auto said_of = [&](double gain, const std::string& out) {
    MadeScene scene{90, 90, 3, 32};
    scene.change_s2 = [=](Index, Index, Index, double value) { return std::round(std::min(gain * value, 3e4)); };
    scene.change_s1 = [=](Index, Index, Index, double value) { return value - 2 * (gain - 1); };
    support::write_scene(folder, "a", scene);
    std::string all;
    for (const std::string& line : write_maps(made, support::write_scene_list(folder, {"a"}), folder.file(out)))
      all += line + '\n';
    return all;
  };
  const auto mean_entropy = [&](const std::string& out) {
    double sum = 0, count = 0;
    for (const double one : band_of(folder.file(out + "/a_layers.tif"), 4))
      if (!std::isnan(one)) sum += one, ++count;
    return sum / count;
  };
  CHECK(said_of(1, "like").find("unlike what the model learned from") == std::string::npos);
  const std::string said = said_of(5, "unlike");
  CHECK(said.find("warning: scene a: ") != std::string::npos);
  CHECK(said.find("unlike what the model learned from") != std::string::npos);
  CHECK(said.find("outside the training range are most often ") != std::string::npos);
  CHECK(mean_entropy("unlike") > mean_entropy("like"));
}

TEST_CASE("a map lies where the scene lies, tag by tag and as gdalinfo sees it", "[fusion][maps]") {
  const MadeFlood made;
  const TemporaryFolder folder(support::memory_disk());
  MadeScene scene;
  const auto odd = [](datasets::rasters::RasterPlan& plan) {
    plan.place.pixel_scale = {8.983152841195215e-05, 8.983152841195215e-05, 0};
    plan.place.tie_points = {0, 0, 0, -0.7818932, 38.1288112, 0};
    plan.place.geo_keys = {1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326};
  };
  scene.plan_s1 = scene.plan_s2 = odd;
  support::write_scene(folder, "a", scene);
  write_maps(made, support::write_scene_list(folder, {"a"}), folder.file("out"));
  const datasets::rasters::RasterReader before(folder.file("a_s2.tif"));
  for (const char* name : {"out/a.tif", "out/a_layers.tif"}) {
    const datasets::rasters::RasterReader after(folder.file(name));
    CHECK(after.facts().place == before.facts().place);
    CHECK(after.facts().tiled);
    CHECK(after.facts().packing == "DEFLATE");
    if (!support::has_program("gdalinfo")) continue;
    const auto place = [&](const std::string& path) {
      const std::string text = support::printed_by("gdalinfo " + path);
      const std::size_t first = text.find("Size is"), last = text.find("Image Structure");
      REQUIRE(first != std::string::npos);
      std::string part = text.substr(first, last - first);
      if (const std::size_t metadata = part.find("Metadata:"); metadata != std::string::npos) {
        const std::size_t area = part.find("AREA_OR_POINT", metadata);
        part = part.substr(0, metadata) + part.substr(area, part.find('\n', area) - area);
      }
      const std::size_t corners = text.find("Corner Coordinates");
      return part + text.substr(corners, text.find("Band 1") - corners);
    };
    CHECK(place(folder.file(name)) == place(folder.file("a_s2.tif")));
  }
  std::vector<std::string> names;
  const datasets::rasters::RasterReader layers(folder.file("out/a_layers.tif"));
  for (const auto& band : layers.facts().bands) names.push_back(band.name);
  CHECK(names ==
        std::vector<std::string>{"probability_0", "probability_1", "trust_s1", "trust_s2", "entropy", "spread"});
}

TEST_CASE("what was stopped goes on, and no half map is there meanwhile", "[fusion][maps]") {
  const MadeFlood made;
  const TemporaryFolder folder(support::memory_disk());
  support::write_scene(folder, "a", {60, 60, 5, 32});
  support::write_scene(folder, "b", {1100, 40, 3, 64});
  const std::string list = support::write_scene_list(folder, {"a", "b"}), out = folder.file("out");
  write_maps(made, list, folder.file("whole"));
  const Threads one(1);
  std::thread stopper([&] {
    std::error_code ignored;
    while (fs::file_size(out + "/.b.tif.part.tiles", ignored) + 1 < 80) std::this_thread::yield();
    process_stop_flag().store(2);
  });
  const std::string said = support::refusal_of<Interrupted>([&] { write_maps(made, list, out, 16); });
  stopper.join();
  process_stop_flag().store(0);
  CHECK(said == "stopped within " + out + "/b.tif; the same command goes on there.");
  CHECK(fs::exists(out + "/a.tif"));
  CHECK_FALSE(fs::exists(out + "/b.tif"));
  CHECK_FALSE(fs::exists(out + "/b_layers.tif"));
  const std::vector<std::string> again = write_maps(made, list, out);
  REQUIRE(again.size() >= 2);
  CHECK(again[again.size() - 2] == "1 scene had been mapped before the stop");
  CHECK(again.back() != "2 scenes mapped, 44000 pixels of them now");  // not all of b again
  for (const char* scene : {"a", "b"}) CHECK(bytes_of_map(out, scene) == bytes_of_map(folder.file("whole"), scene));
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator()) == 4);
}

TEST_CASE("scenes of a list that cannot be read stop the maps, or are left out and named", "[fusion][maps]") {
  const MadeFlood made;
  const TemporaryFolder folder;
  for (const char* name : {"a", "b", "c"}) support::write_scene(folder, name);
  std::ofstream(folder.file("b_s1.tif")) << "no picture";
  std::fstream damaged(folder.file("c_s2.tif"), std::ios::in | std::ios::out | std::ios::binary);
  damaged.seekp(static_cast<std::streamoff>(fs::file_size(folder.file("c_s2.tif")) / 2));
  (damaged << std::string(200, 'x')).flush();
  ScenePlan plan = made.plan();
  const std::string out = folder.file("out");
  const auto write = [&](const std::vector<std::string>& names) {
    return write_scene_maps(made.model, plan,
                            {support::write_scene_list(folder, names), out, "m.h5", "", {}, 1U << 28});
  };
  CHECK(support::refusal_of<DataError>([&] {
          write({"a", "b"});
        }).ends_with("To leave out scenes that cannot be read: --set data.bad='leave out'."));
  plan.reading.leave_out_bad = true;
  const std::vector<std::string> said = write({"a", "b", "c"});
  for (const char* name : {"b", "c"})
    CHECK(std::any_of(said.begin(), said.end(), [&](const std::string& one) {
      return one.starts_with(concat("scene ", name, " is left out: "));
    }));
  CHECK(said.back().starts_with("1 scene mapped, 6300 pixels"));
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator()) == 2);  // both files of a
  CHECK(support::refusal_of<DataError>([&] { write({"b", "c"}); }).find("no scene can be read") != std::string::npos);
  for (const std::string& one : write({"a"})) CHECK(one.find("left out") == std::string::npos);
}

TEST_CASE("layers keep 12 bits behind the leading one", "[fusion][maps]") {
  std::vector<float> numbers{0, 1, 0.1F, -3.7F, 1e-20F, NAN, 0.99999F};
  const std::vector<float> before = numbers;
  round_layers(numbers);
  CHECK((numbers[0] == 0 && numbers[1] == 1 && std::isnan(numbers[5])));
  for (const std::size_t i : {2U, 3U, 4U, 6U}) {
    CHECK(std::abs(numbers[i] - before[i]) <= std::abs(before[i]) * 0x1p-13F);
    int exponent = 0;
    CHECK(std::fmod(std::frexp(numbers[i], &exponent) * 0x1p13F, 1.0F) == 0);
  }
}

}  // namespace fovea::fusion::maps
