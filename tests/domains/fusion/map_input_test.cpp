// Scenes that do not fit a model, or are damaged: each ends in one line with file, rule and way out, and leaves no map.
//
// FOVEA_MUTANTS=N maps N damaged copies of each file of a scene, from FOVEA_MUTANT_SEED on.

#include <cstdlib>

#include "fovea/datasets/rasters/raster_reader.hpp"
#include "fovea/tests/domains/fusion/made_flood.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::maps {

namespace {

namespace fs = std::filesystem;
using datasets::rasters::RasterPlan;
using datasets::rasters::SampleType;
using support::MadeScene;
using support::MadeTiff;

const support::MadeFlood& made_flood() {
  static const support::MadeFlood made(1);
  return made;
}

std::vector<std::string> map_list(const std::string& list, const std::string& output,
                                  const flood::SceneReading& reading = {}) {
  ScenePlan plan = made_flood().plan();
  plan.reading.s1_unit = reading.s1_unit, plan.reading.s2_unit = reading.s2_unit;
  return write_scene_maps(made_flood().model, plan, {list, output, "model.h5", "hash", {}, std::size_t{256} << 20});
}

/// What is wrong: a change of the scene before it is written, or of its folder afterwards.
struct BadScene {
  const char* what;
  std::function<void(MadeScene&)> change;
  std::function<void(const TemporaryFolder&)> damage;
  std::string file, phrase;  ///< the message begins with the file and has the phrase
};

void write_list(const TemporaryFolder& folder, const std::string& text) {
  std::ofstream(folder.file("scenes.csv")) << text;
}

/// The file of a sensor becomes this TIFF.
auto tiff_of(const std::string& name, std::function<void(MadeTiff&)> change) {
  return [=](const TemporaryFolder& folder) {
    MadeTiff tiff;
    change(tiff);
    support::write_bytes(folder.file(name), tiff.bytes());
  };
}

auto plan_of_s2(std::function<void(RasterPlan&)> change) {
  return [=](MadeScene& scene) { scene.plan_s2 = change; };
}

auto numbers_of_s2(SampleType sample, std::function<double(double)> change) {
  return [=](MadeScene& scene) {
    scene.plan_s2 = [=](RasterPlan& plan) { plan.sample = sample; };
    scene.change_s2 = [=](Eigen::Index, Eigen::Index, Eigen::Index, double value) {
      return value == 0 ? 0 : change(value);
    };
  };
}

/// Files in the folder of maps that were not there before.
std::size_t maps_in(const std::string& folder) {
  std::size_t count = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    count += entry.path().extension() == ".tif" && entry.path().filename().string().front() != '.' ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("what differs but fits is mapped, and said", "[fusion][maps]") {
  struct Odd {
    const char* what;
    std::function<void(MadeScene&)> change;
    std::string note;  ///< "": none is needed
    flood::SceneReading reading = {};
  };
  const std::vector<Odd> odd{
      {"a grid that differs in the 13th digit",
       plan_of_s2([](RasterPlan& plan) { plan.place.tie_points[3] *= 1 + 1e-13; }), ""},
      {"no georeference",
       [](MadeScene& scene) { scene.plan_s1 = scene.plan_s2 = [](RasterPlan& plan) { plan.place = {}; }; },
       "has no georeference"},
      {"half of the pixels", plan_of_s2([](RasterPlan& plan) {
         plan.rows = plan.columns = 45;
         plan.place.pixel_scale = {20, 20, 0};
       }),
       "is resampled by 2"},
      {"a band more", plan_of_s2([](RasterPlan& plan) {
         plan.bands.push_back({"B11", 1, 0});
       }),
       "not read: B11"},
      {"bands without names", plan_of_s2([](RasterPlan& plan) {
         for (auto& band : plan.bands) band.name.clear();
       }),
       "its bands have no names"},
      {"reflectance that is stated",
       numbers_of_s2(SampleType::float32, [](double value) { return value / 10000; }),
       "converted from reflectance to numbers",
       {{}, "", "reflectance"}},
      {"an offset that is stated",
       numbers_of_s2(SampleType::int16, [](double value) { return value + 1000; }),
       "converted from offset to numbers",
       {{}, "", "offset"}},
      {"linear backscatter that is stated",
       [](MadeScene& scene) {
         scene.change_s1 = [](Eigen::Index, Eigen::Index, Eigen::Index, double value) {
           return std::pow(10, value / 10);
         };
       },
       "converted from linear to db",
       {{}, "linear", ""}},
  };
  const TemporaryFolder plain(support::memory_disk());
  support::write_scene(plain, "a", {90, 90, 3, 32});
  map_list(support::write_scene_list(plain, {"a"}), plain.file("out"));
  const std::string wanted = support::text_of(plain.file("out/a.tif"));
  for (const Odd& one : odd) DYNAMIC_SECTION(one.what) {
      const TemporaryFolder folder(support::memory_disk());
      MadeScene scene{90, 90, 3, 32};
      one.change(scene);
      support::write_scene(folder, "a", scene);
      std::string said;
      for (const std::string& note :
           map_list(support::write_scene_list(folder, {"a"}), folder.file("out"), one.reading))
        said += note + '\n';
      INFO(said);
      CHECK(said.find(one.note) != std::string::npos);
      CHECK(said.find("1 scene mapped, 8100 pixels") != std::string::npos);
      if (std::string(one.what).find("stated") != std::string::npos && one.reading.s1_unit.empty())
        CHECK(support::text_of(folder.file("out/a.tif")) == wanted);
    }
}

TEST_CASE("no data are NaN, 0, -9999 or the number of the tag", "[fusion][maps]") {
  const auto hidden = [](Eigen::Index r, Eigen::Index c) { return r >= 20 && r < 50 && c >= 30 && c < 70; };
  struct Missing {
    const char* what;
    SampleType sample;
    std::string tag;
    double number;
  };
  std::string first;
  for (const Missing& one : std::vector<Missing>{{"0 of all bands", SampleType::int16, "", 0},
                                                 {"0 by the tag", SampleType::int16, "0", 0},
                                                 {"-9999 without a tag", SampleType::int16, "", -9999},
                                                 {"-9999 by the tag", SampleType::int16, "-9999", -9999},
                                                 {"another number by the tag", SampleType::int16, "-32768", -32768},
                                                 {"NaN", SampleType::float32, "", NAN},
                                                 {"NaN by the tag", SampleType::float32, "nan", NAN}}) {
    const TemporaryFolder folder(support::memory_disk());
    MadeScene scene{90, 90, 3, 32};
    scene.plan_s2 = [&](RasterPlan& plan) { plan.sample = one.sample, plan.missing_text = one.tag; };
    scene.change_s2 = [&](Eigen::Index, Eigen::Index r, Eigen::Index c, double value) {
      return hidden(r, c) || value == 0 ? one.number : value;
    };
    support::write_scene(folder, "a", scene);
    map_list(support::write_scene_list(folder, {"a"}), folder.file("out"));
    const std::string bytes =
        support::text_of(folder.file("out/a.tif")) + support::text_of(folder.file("out/a_layers.tif"));
    INFO(one.what);
    if (first.empty()) first = bytes;
    CHECK(bytes == first);
    const datasets::rasters::RasterReader trust(folder.file("out/a_layers.tif"));
    std::vector<float> values(1200);
    trust.read({20, 30, 30, 40}, std::vector<Eigen::Index>{3}, values.data());
    CHECK(std::all_of(values.begin(), values.end(), [](float x) { return x == 0; }));  // S2 is not trusted there
  }
}

TEST_CASE("a scene that shows nothing becomes a map of no data", "[fusion][maps]") {
  const TemporaryFolder folder(support::memory_disk());
  MadeScene scene{90, 90, 3, 32};
  scene.change_s1 = [](auto...) { return static_cast<double>(NAN); };
  scene.change_s2 = [](auto...) { return 0.; };
  support::write_scene(folder, "a", scene);
  const std::vector<std::string> said = map_list(support::write_scene_list(folder, {"a"}), folder.file("out"));
  CHECK(said[0].find("has no data anywhere") != std::string::npos);
  std::vector<float> classes(8100);
  datasets::rasters::RasterReader(folder.file("out/a.tif"))
      .read({0, 0, 90, 90}, std::vector<Eigen::Index>{0}, classes.data());
  CHECK(std::all_of(classes.begin(), classes.end(), [](float x) { return std::isnan(x); }));
}

TEST_CASE("damaged copies of a scene are mapped or refused in one line, without half a map", "[fusion][maps]") {
  const auto setting = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  };
  const std::uint64_t copies = setting("FOVEA_MUTANTS", 40), seed = setting("FOVEA_MUTANT_SEED", 1);
  const TemporaryFolder folder(support::memory_disk());
  support::write_scene(folder, "a", {50, 60, 3, 32});
  const std::string list = support::write_scene_list(folder, {"a"});
  const std::string s1 = support::text_of(folder.file("a_s1.tif")), s2 = support::text_of(folder.file("a_s2.tif"));
  constexpr std::string_view kTokens[] = {"II*", "MM", "\xFF\xFF\xFF\xFF", "\x44\1\4", "\x3D\1\3", "\x1C\1\3", "nan"};
  std::size_t refused = 0;
  for (const bool radar : {true, false})
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      const std::string& sound = radar ? s1 : s2;
      const std::string path = folder.file(radar ? "a_s1.tif" : "a_s2.tif");
      support::write_bytes(path, support::mutated(sound, radar ? s2 : s1, kTokens, seed + copy));
      fs::remove_all(folder.file("out"));
      const std::string said = support::refusal_of<DataError>([&] { map_list(list, folder.file("out")); });
      support::write_bytes(path, sound);
      INFO((radar ? "s1" : "s2") << ", seed " << seed + copy << ": " << said);
      refused += said.empty() ? 0 : 1;
      CHECK(maps_in(folder.file("out")) == (said.empty() ? 2 : 0));
      CHECK((said.empty() || (said.starts_with(folder.path()) &&
                              std::none_of(said.begin(), said.end(), [](char c) { return c >= 0 && c < ' '; }))));
    }
  CHECK(refused > copies / 4);
}

namespace {

const std::vector<BadScene>& wrong_grids() {
  static const std::vector<BadScene> scenes{
      {"another coordinate system", plan_of_s2([](RasterPlan& plan) { plan.place.geo_keys.back() = 32630; }), nullptr,
       "a_s1.tif", "has EPSG:32631, but"},
      {"a grid .02 pixels beside", plan_of_s2([](RasterPlan& plan) { plan.place.tie_points[3] += .2; }), nullptr,
       "a_s1.tif", "pixels beside"},
      {"a grid half a pixel beside, as points", plan_of_s2([](RasterPlan& plan) { plan.place.geo_keys[11] = 2; }),
       nullptr, "a_s1.tif", "pixels beside"},
      {"pixels of another size", plan_of_s2([](RasterPlan& plan) { plan.place.pixel_scale[0] = 10.01; }), nullptr,
       "a_s1.tif", "pixels beside"},
      {"a row less", plan_of_s2([](RasterPlan& plan) { plan.rows -= 1; }), nullptr, "a_s1.tif", "pixels, but"},
      {"a third of the pixels", plan_of_s2([](RasterPlan& plan) { plan.rows = 30, plan.columns = 30; }), nullptr,
       "a_s2.tif", "the same or twice as many"},
      {"a mask of another size", nullptr,
       [](const TemporaryFolder& folder) {
         support::write_made_raster(folder.file("m.tif"), support::made_plan(20, 20, SampleType::uint8, {"mask"}),
                                    [](auto...) { return 0.; });
         write_list(folder, "scene,s1,s2,mask\na,a_s1.tif,a_s2.tif,m.tif\n");
       },
       "m.tif", "they must be the same or twice as many"},
      {"a mask of two bands", nullptr,
       [](const TemporaryFolder& folder) {
         support::write_made_raster(folder.file("m.tif"), support::made_plan(90, 90, SampleType::uint8, {"a", "b"}),
                                    [](auto...) { return 0.; });
         write_list(folder, "scene,s1,s2,mask\na,a_s1.tif,a_s2.tif,m.tif\n");
       },
       "m.tif", "has 2 bands, but a map must have one"},
  };
  return scenes;
}

const std::vector<BadScene>& wrong_bands() {
  static const std::vector<BadScene> scenes{
      {"a band less", plan_of_s2([](RasterPlan& plan) { plan.bands.pop_back(); }), nullptr, "a_s2.tif",
       "but must have B08 once"},
      {"a band twice", plan_of_s2([](RasterPlan& plan) { plan.bands[2].name = "B3"; }), nullptr, "a_s2.tif", "once"},
      {"a name that nobody knows", plan_of_s2([](RasterPlan& plan) { plan.bands[1].name = "green\x1b[31m"; }), nullptr,
       "a_s2.tif", "but must have B03 once"},
      {"three bands without names", plan_of_s2([](RasterPlan& plan) {
         plan.bands = {{"", 1, 0}, {"", 1, 0}, {"", 1, 0}};
       }),
       nullptr, "a_s2.tif", "has 3 bands without names, but 4 are wanted"},
      {"sensors that are swapped", nullptr,
       [](const TemporaryFolder& folder) { write_list(folder, "scene,s1,s2\na,a_s2.tif,a_s1.tif\n"); }, "a_s2.tif",
       "but must have VV once"},
      {"reflectance", numbers_of_s2(SampleType::float32, [](double value) { return value / 10000; }), nullptr,
       "a_s2.tif", "resemble reflectance, but must be numbers; state by data.units.s2 what it is"},
      {"the offset of baseline 04.00", numbers_of_s2(SampleType::int16, [](double value) { return value + 1000; }),
       nullptr, "a_s2.tif", "resemble offset, but must be numbers"},
      {"linear backscatter",
       [](MadeScene& scene) {
         scene.change_s1 = [](Eigen::Index, Eigen::Index, Eigen::Index, double value) {
           return std::pow(10, value / 10);
         };
       },
       nullptr, "a_s1.tif", "resemble linear, but must be db; state by data.units.s1 what it is"},
  };
  return scenes;
}

const std::vector<BadScene>& damaged_files() {
  using support::text_of;
  static const auto bytes = [](const std::string& name, std::function<std::string(std::string)> change) {
    return [=](const TemporaryFolder& folder) {
      support::write_bytes(folder.file(name), change(text_of(folder.file(name))));
    };
  };
  static const std::vector<BadScene> scenes{
      {"complex numbers", nullptr,
       tiff_of("a_s1.tif", [](MadeTiff& t) { t.tags[339].numbers = {6}, t.tags[258].numbers = {64}; }), "a_s1.tif",
       "holds complex numbers"},
      {"a palette", nullptr, tiff_of("a_s2.tif", [](MadeTiff& t) { t.tags[262].numbers = {3}; }), "a_s2.tif",
       "has a palette"},
      {"JPEG", nullptr, tiff_of("a_s2.tif", [](MadeTiff& t) { t.tags[259].numbers = {7}; }), "a_s2.tif",
       "is packed by method 7"},
      {"directories that form a loop", nullptr, tiff_of("a_s2.tif", [](MadeTiff& t) { t.next = 8; }), "a_s2.tif",
       "directories that form a loop"},
      {"2^31 x 2^31 pixels in a small file", nullptr,
       tiff_of("a_s2.tif",
               [](MadeTiff& t) {
                 t.tags[256] = t.tags[257] = {4, {2147483648.}, "", 0};
               }),
       "a_s2.tif", "claims 2147483648 columns"},
      {"a directory that claims too much", nullptr,
       tiff_of("a_s2.tif", [](MadeTiff& t) { t.tags[258].claimed = 4000000000; }), "a_s2.tif",
       "claims 4000000000 values"},
      {"a no-data text that is no number", nullptr,
       tiff_of("a_s1.tif",
               [](MadeTiff& t) {
                 t.tags[42113] = {2, {}, "none", 0};
               }),
       "a_s1.tif", "which is no number"},
      {"half of a file", nullptr, bytes("a_s2.tif", [](std::string all) { return all.substr(0, all.size() / 2); }),
       "a_s2.tif", "is damaged"},
      {"only the header", nullptr, bytes("a_s1.tif", [](std::string all) { return all.substr(0, 8); }), "a_s1.tif",
       "is damaged"},
      {"nothing", nullptr, bytes("a_s1.tif", [](const std::string&) { return std::string(); }), "a_s1.tif", "is empty"},
      {"text", nullptr, bytes("a_s1.tif", [](const std::string&) { return std::string("scene,s1,s2\n"); }), "a_s1.tif",
       "is no TIFF"},
      {"tiles that cannot be unpacked", nullptr,
       bytes("a_s2.tif",
             [](std::string all) {
               std::fill_n(all.begin() + 1000, all.size() / 2, '\x55');
               return all;
             }),
       "a_s2.tif", "is damaged"},
  };
  return scenes;
}

const std::vector<BadScene>& wrong_lists() {
  static const auto list = [](const std::string& text) {
    return [=](const TemporaryFolder& folder) { write_list(folder, text); };
  };
  static const std::vector<BadScene> scenes{
      {"no scene", nullptr, list("scene,s1,s2\n"), "scenes.csv", "has no scene"},
      {"no column s2", nullptr, list("scene,s1\na,a_s1.tif\n"), "scenes.csv", "s2"},
      {"an unknown column", nullptr, list("scene,s1,s2,dem\na,a_s1.tif,a_s2.tif,a_s1.tif\n"), "scenes.csv",
       "unknown column 'dem'"},
      {"a file that is not there", nullptr, list("scene,s1,s2\na,a_s1.tif,b_s2.tif\n"), "scenes.csv",
       "there is no file 'b_s2.tif'"},
      {"a folder as a file", nullptr, list("scene,s1,s2\na,a_s1.tif,.\n"), "", "is no regular file"},
      {"no sensor", nullptr, list("scene,s1,s2\na,,\n"), "scenes.csv", "neither s1 nor s2"},
      {"a name twice", nullptr, list("scene,s1,s2\na,a_s1.tif,a_s2.tif\na,a_s1.tif,\n"), "scenes.csv",
       "is there twice"},
      {"a name that is a path", nullptr, list("scene,s1,s2\n../a,a_s1.tif,a_s2.tif\n"), "scenes.csv",
       "but must be that of a file"},
      {"names whose maps meet", nullptr, list("scene,s1,s2\na,a_s1.tif,\na_layers,a_s1.tif,\n"), "scenes.csv",
       "where another scene is"},
      {"a map over what is read", nullptr,
       [](const TemporaryFolder& folder) {
         fs::create_directory(folder.file("out"));
         fs::copy_file(folder.file("a_s1.tif"), folder.file("out/a.tif"));
         write_list(folder, "scene,s1,s2\na,out/a.tif,a_s2.tif\n");
       },
       "scenes.csv", "would be written over"},
      {"a file in place of the folder", nullptr,
       [](const TemporaryFolder& folder) { std::ofstream(folder.file("out")) << "x"; }, "out",
       "is a file, but maps of scenes go into a folder"},
      {"the second scene alone is wrong", nullptr,
       [](const TemporaryFolder& folder) {
         support::write_bytes(folder.file("c.tif"), "II");
         write_list(folder, "scene,s1,s2\na,a_s1.tif,a_s2.tif\nb,c.tif,\n");
       },
       "c.tif", "is no TIFF"},
  };
  return scenes;
}

}  // namespace

TEST_CASE("a scene that is wrong ends in a line with its rule and the way out, and leaves no map", "[fusion][maps]") {
  for (const auto* list : {&wrong_grids(), &wrong_bands(), &damaged_files(), &wrong_lists()})
    for (const BadScene& bad : *list) DYNAMIC_SECTION(bad.what) {
        const TemporaryFolder folder(support::memory_disk());
        MadeScene scene{90, 90, 3, 32};
        if (bad.change) bad.change(scene);
        support::write_scene(folder, "a", scene);
        support::write_scene_list(folder, {"a"});
        if (bad.damage) bad.damage(folder);
        const std::size_t before = maps_in(folder.file("out"));
        const std::string said =
            support::refusal_of<DataError>([&] { map_list(folder.file("scenes.csv"), folder.file("out")); });
        INFO(said);
        CHECK(said.starts_with(folder.file(bad.file)));
        CHECK(said.find(bad.phrase) != std::string::npos);
        CHECK(std::none_of(said.begin(), said.end(), [](char c) { return c >= 0 && c < ' '; }));
        CHECK(maps_in(folder.file("out")) == before);
      }
}

}  // namespace fovea::fusion::maps
