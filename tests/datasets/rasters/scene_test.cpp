/// Scenes: what fits together is read on one grid, what does not ends in one line with file, band, rule and way out.

#include "fovea/datasets/rasters/scene.hpp"
#include "fovea/datasets/rasters/band_names.hpp"
#include "fovea/tests/datasets/rasters/made_rasters.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::rasters;
using support::made_plan;
using support::write_made_raster;

namespace {

/// A sound scene of 40 x 40 pixels, a part of which a test spoils.
struct MadeScene {
  explicit MadeScene(const TemporaryFolder& folder)
      : entry{"a", folder.file("s1.tif"), folder.file("s2.tif"), folder.file("labels.tif"), "", ""} {
    s1.missing_text = "nan", s2.missing_text = "0";
    rules.s1_bands = {"VV", "VH"}, rules.s2_bands = {"B2", "B8"};
    rules.s1_unit = SarUnit::db, rules.s2_unit = OpticalUnit::numbers;
  }
  void write() const {
    write_made_raster(entry.s1, s1, [&](Index b, Index r, Index c) { return sar(b, r, c); });
    write_made_raster(entry.s2, s2, [&](Index b, Index r, Index c) { return optical(b, r, c); });
    write_made_raster(entry.labels, labels, [](Index, Index r, Index) { return static_cast<double>(r % 2); });
  }
  RasterPlan s1 = made_plan(40, 40, SampleType::float32, {"VV", "VH"}),
             s2 = made_plan(40, 40, SampleType::int16, {"B02", "B08"}),
             labels = made_plan(40, 40, SampleType::int16, {"label"});
  std::function<double(Index, Index, Index)> sar = [](Index b, Index r, Index c) {
    return -10. - static_cast<double>(b + (r + c) % 7);
  };
  std::function<double(Index, Index, Index)> optical = [](Index b, Index r, Index c) {
    return static_cast<double>(400 + 100 * b + 10 * r + c);
  };
  SceneEntry entry;
  SceneRules rules;
};

std::string refused_scene(const MadeScene& made) {
  made.write();
  return support::refusal_of<DataError>([&] { const Scene scene(made.entry, made.rules); });
}

}  // namespace

TEST_CASE("a scene gives both sensors on one grid, with what is missing", "[rasters]") {
  const TemporaryFolder folder;
  MadeScene made(folder);
  made.sar = [](Index, Index r, Index c) {
    return r == 3 && c == 4 ? std::nan("") : r == 3 && c == 5 ? 0 : r == 3 && c == 6 ? -9999. : -12.5;
  };
  made.optical = [](Index b, Index r, Index c) {
    return c == 1 || (c == 2 && b == 0) ? 0. : static_cast<double>(800 + r);
  };
  REQUIRE(refused_scene(made).empty());
  const Scene scene(made.entry, made.rules);
  CHECK(scene.facts().s2_bands == std::vector<std::string>{"B2", "B8"});
  const SceneWindow window = scene.read({-1, 0, 6, 8});
  const auto at = [](Index r, Index c) { return static_cast<std::size_t>((r + 1) * 8 + c); };
  CHECK(window.s1_valid[at(3, 3)] == 1);
  for (const Index c : {4, 5, 6}) CHECK(window.s1_valid[at(3, c)] == 0);
  CHECK(window.s1_valid[at(-1, 3)] == 0);
  CHECK(std::isnan(window.s1(1, static_cast<Index>(at(3, 5)))));
  CHECK(window.s2_valid[at(0, 1)] == 0);
  CHECK(window.s2_valid[at(0, 2)] == 1);  // dark in one band alone
  CHECK(window.s2(0, static_cast<Index>(at(0, 2))) == 0);
  CHECK(window.s2(1, static_cast<Index>(at(2, 3))) == 802);
  CHECK(window.labels[at(-1, 0)] == kNoLabel);
  CHECK(window.labels[at(3, 0)] == 1);
}

TEST_CASE("windows of any size give the same pixels, of a coarser sensor too", "[rasters]") {
  const TemporaryFolder folder;
  MadeScene made(folder);
  made.s2 = made_plan(20, 20, SampleType::int16, {"B2", "B8"});
  made.s2.place.pixel_scale = {20, 20, 0};
  REQUIRE(refused_scene(made).empty());
  const Scene scene(made.entry, made.rules);
  const SceneWindow whole = scene.read({0, 0, 40, 40});
  CHECK(whole.s2(0, 0) == 400);                            // at the corner only the nearest is there
  CHECK(whole.s2(0, 41) == Approx(400 + 10 * .25 + .25));  // a quarter of the way to the next
  for (const Index side : {1, 3, 8, 17})
    for (Index r = 0; r < 40; r += side)
      for (Index c = 0; c < 40; c += side) {
        const Window window{r, c, std::min(side, 40 - r), std::min(side, 40 - c)};
        const SceneWindow part = scene.read(window);
        for (Index i = 0; i < window.pixels(); ++i) {
          const Index j = (r + i / window.columns) * 40 + c + i % window.columns;
          if (part.s2.col(i) != whole.s2.col(j) || part.s1.col(i) != whole.s1.col(j))
            FAIL("side " << side << " pixel " << j);
        }
      }
}

TEST_CASE("scenes that do not fit together, or the model, are refused in a line", "[rasters]") {
  const TemporaryFolder folder;
  MadeScene made(folder);
  const std::string &s1 = made.entry.s1, &s2 = made.entry.s2, &labels = made.entry.labels;
  CHECK(refused_scene(made).empty());
  SECTION("another coordinate system") {
    made.s1.place.geo_keys.back() = 32632;
    CHECK(refused_scene(made) ==
          s1 + ": has EPSG:32632, but " + s2 + " has EPSG:32631; bring both to one (gdalwarp -t_srs).");
  }
  SECTION("another grid") {
    made.s1.place.tie_points[3] += .2;
    CHECK(refused_scene(made) == s1 + ": lies 0.02 pixels beside " + s2 +
                                     ", but at most 0.01 is the same grid; resample it (gdalwarp -te, -ts).");
  }
  SECTION("a grid that differs in the last digits is the same") {
    made.s1.place.pixel_scale[0] += 1e-13;
    CHECK(refused_scene(made).empty());
  }
  SECTION("a grid of other pixels") {
    made.labels.place.pixel_scale = {10.01, 10.01, 0};
    CHECK(refused_scene(made) == labels + ": lies 0.04 pixels beside " + s2 +
                                     ", but at most 0.01 is the same grid; resample it (gdalwarp -te, -ts).");
  }
  SECTION("another size") {
    made.labels.rows = 39;
    CHECK(refused_scene(made) == labels + ": has 40 x 39 pixels, but " + s2 +
                                     " has 40 x 40; they must be the same or twice as many (gdalwarp -ts, -te).");
  }
  SECTION("a missing band") {
    made.rules.s2_bands = {"B2", "B8", "B11"};
    CHECK(refused_scene(made) ==
          s2 + ": has the bands B2, B8, but must have B11 once; name its bands or choose others (gdal_translate -b).");
  }
  SECTION("further bands are left out, and said") {
    made.rules.s2_bands = {"B8"};
    REQUIRE(refused_scene(made).empty());
    CHECK(Scene(made.entry, made.rules).facts().notes == std::vector<std::string>{s2 + ": not read: B2"});
  }
  SECTION("bands without names") {
    made.s2.bands = {{}, {}, {}};
    CHECK(refused_scene(made) ==
          s2 + ": has 3 bands without names, but 2 are wanted (B2, B8); name them (gdal_edit.py, gdal_translate -b).");
  }
  SECTION("labels of two bands") {
    made.labels.bands.push_back({"b", 1, 0});
    CHECK(refused_scene(made) == labels +
                                     ": has 2 bands, but a map must have one; take one (data.label_band, "
                                     "gdal_translate -b).");
    made.rules.label_band = 3;
    CHECK(refused_scene(made) == labels + ": has 2 bands, but data.label_band is 3; name one that it has.");
    made.rules.label_band = 1;
    CHECK(refused_scene(made).empty());
  }
  SECTION("reflectance") {
    made.s2.sample = SampleType::float32;
    made.optical = [](Index, Index r, Index) { return .01 * static_cast<double>(r + 1); };
    CHECK(refused_scene(made) == s2 + ": its values resemble reflectance, but must be numbers; state by "
                                      "data.units.s2 what it is, and it is converted.");
  }
  SECTION("the offset of later processing") {
    made.optical = [](Index, Index r, Index) { return 1100. + static_cast<double>(r); };
    CHECK(refused_scene(made) == s2 + ": its values resemble offset, but must be numbers; state by data.units.s2 what "
                                      "it is, and it is converted.");
    made.rules.s2_stated = OpticalUnit::offset_numbers;
    CHECK(refused_scene(made).empty());
    CHECK(Scene(made.entry, made.rules).read({2, 0, 1, 1}).s2(0, 0) == 102);
  }
  SECTION("linear power") {
    made.sar = [](Index, Index, Index c) { return .001 * static_cast<double>(c + 1); };
    CHECK(refused_scene(made) ==
          s1 + ": its values resemble linear, but must be db; state by data.units.s1 what it is, and it is converted.");
    made.rules.s1_stated = SarUnit::linear;
    CHECK(refused_scene(made).empty());
    CHECK(Scene(made.entry, made.rules).read({0, 9, 1, 1}).s1(0, 0) == Approx(-20));
  }
}

TEST_CASE("a list of scenes that is wrong is refused with row and column", "[rasters]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("scenes.csv");
  support::write_bytes(folder.file("a.tif"), "");
  const auto said = [&](const std::string& text) {
    support::write_bytes(path, text);
    return support::refusal_of<DataError>([&] { read_scene_list(path); });
  };
  CHECK(said("scene,s1,s2\na,a.tif,\nb,,a.tif\n").empty());
  CHECK(said("scene,s1,s2\na,,\n") ==
        path + ":row 2, column 's1': the scene has neither s1 nor s2; give at least one.");
  CHECK(said("scene,s1,s2\na,b.tif,\n") ==
        path + ":row 2, column 's1': there is no file 'b.tif'; paths are relative to the list.");
  CHECK(said("scene,s1,s2\na,a.tif,\na,a.tif,\n") ==
        path + ":row 3, column 'scene': the scene 'a' is there twice; give each a name of its own.");
  CHECK(said("scene,s1,s2\n../a,a.tif,\n") == path +
                                                  ":row 2, column 'scene': the scene's name is '../a', but must be "
                                                  "that of a file, without '/' and not beginning with '.'.");
  CHECK(said("scene,s1,s2,dem\na,a.tif,,\n") ==
        path + ": has the unknown column 'dem'; a list of scenes has scene,s1,s2[,labels][,split][,mask].");
  CHECK(said("scene,s1,s2\n") == path + ": has no scene; give at least one row.");
  CHECK(!said("scene,s1\na,a.tif\n").empty());
  support::write_bytes(path, "scene,s1,s2,labels\na,a.tif,,a.tif\n");
  CHECK(read_scene_list(path).front().labels == folder.file("a.tif"));
}

TEST_CASE("the shared chip is a scene in dB and in numbers", "[rasters]") {
  const auto folder = support::shared_data("fusion/sen1floods11_spain");
  if (!folder) return;
  const auto file = [&](const char* name) { return (*folder / name).string(); };
  const SceneEntry entry{"Spain",
                         file("Spain_7370579_S1Hand.tif"),
                         file("Spain_7370579_S2Hand.tif"),
                         file("Spain_7370579_LabelHand.tif"),
                         file("split.tif"),
                         file("synthetic_cloud45.tif")};
  SceneRules rules;
  rules.s1_unit = SarUnit::db, rules.s2_unit = OpticalUnit::numbers;
  const Scene scene(entry, rules);
  const SceneWindow whole = scene.read({0, 0, 512, 512});
  Index train = 0, hidden = 0;
  for (std::size_t i = 0; i < whole.split.size(); ++i) train += whole.split[i] == 0, hidden += whole.s2_valid[i] == 0;
  CHECK(train == 152871);
  CHECK(static_cast<double>(hidden) == Approx(.45 * 512 * 512).epsilon(.01));
}

namespace {

double dark_db(Index b, Index r, Index c) { return -9. - static_cast<double>(5 * b + (r * 7 + c * 3) % 11); }
double bright_land(Index b, Index r, Index c) { return static_cast<double>(500 + 2500 * b + (r * 31 + c * 17) % 400); }

/// One sensor of 40 x 40 pixels, of which rows 10 to 14 are what the case makes of them.
struct ValueCase {
  const char* what;
  std::function<double(double)> change;  ///< of all numbers
  double fill;                           ///< of rows 10 to 14; NaN: none
  Index without;                         ///< pixels without data; -1: refused
  std::string phrase;                    ///< in the notes, or the refusal
};

struct Found {
  Index without = 0;
  std::string said;
};

Found found_in(const TemporaryFolder& folder, bool radar, const ValueCase& one) {
  RasterPlan plan = made_plan(40, 40, SampleType::float32,
                              radar ? std::vector<std::string>{"VV", "VH"} : std::vector<std::string>{"B03", "B08"});
  const std::string path = folder.file(radar ? "s1.tif" : "s2.tif");
  write_made_raster(path, plan, [&](Index b, Index r, Index c) {
    if (!std::isnan(one.fill) && r >= 10 && r < 15) return one.fill;
    return one.change((radar ? dark_db : bright_land)(b, r, c));
  });
  SceneEntry entry;
  entry.name = "a", (radar ? entry.s1 : entry.s2) = path;
  SceneRules rules;
  rules.s1_unit = SarUnit::db, rules.s2_unit = OpticalUnit::numbers;
  Found found;
  found.said = support::refusal_of<DataError>([&] {
    const Scene scene(entry, rules);
    const SceneWindow all = scene.read({0, 0, 40, 40});
    for (const std::uint8_t valid : radar ? all.s1_valid : all.s2_valid) found.without += valid == 0 ? 1 : 0;
  });
  if (!found.said.empty()) return {-1, found.said};
  const Scene scene(entry, rules);
  for (const std::string& note : scene.facts().notes) found.said += note + '\n';
  return found;
}

const auto kSame = [](double x) { return x; };
const double kNoFill = std::nan("");

const std::vector<ValueCase> kRadarCases{
    {"dB", kSame, kNoFill, 0, ""},
    {"the least float", kSame, -3.4e38, 200, "counts as no data"},
    {"1e20", kSame, 1e20, 200, "counts as no data"},
    {"the least of 16 bits", kSame, -32768, 200, "counts as no data"},
    {"nines that dB may have", kSame, -99, 200, "counts as no data"},
    {"a lake of one dark number", kSame, -30, 0, ""},
    {"a number that nobody fills with", kSame, -5555, -1, "name it as no data"},
    {"dB in hundredths", [](double x) { return 100 * x; }, kNoFill, -1, "times 0.01 they would fit db"},
    {"dB in tenths", [](double x) { return 10 * x; }, kNoFill, -1, "times 0.1 they would fit db"},
    {"standard scores", [](double x) { return (x + 16) / 5; }, kNoFill, -1, "its unit is not determined"},
    {"amplitudes", [](double x) { return 1000 * std::pow(10, x / 20); }, kNoFill, -1, "which db cannot be"},
    {"linear power", [](double x) { return std::pow(10, x / 10); }, kNoFill, -1, "resemble linear"}};

const std::vector<ValueCase> kOpticalCases{
    {"numbers", kSame, kNoFill, 0, ""},
    {"the largest of 16 bits", kSame, 65535, 200, "counts as no data"},
    {"the largest of 15 bits", kSame, 32767, 200, "counts as no data"},
    {"-1 in all bands", kSame, -1, 200, ""},
    {"bright clouds", kSame, 12000, 0, ""},
    {"bytes or per cent", [](double x) { return x / 100; }, kNoFill, -1, "times 100 they would fit numbers"},
    {"1000 x reflectance", [](double x) { return x / 10; }, kNoFill, -1, "times 10 they would fit numbers"},
    {"open water", [](double x) { return x < 950 ? x / 2 : x / 20; }, kNoFill, 0, ""},
    {"reflectance", [](double x) { return x / 10000; }, kNoFill, -1, "resemble reflectance"},
    {"with offset", [](double x) { return x + 1000; }, kNoFill, -1, "resemble offset"}};

}  // namespace

TEST_CASE("numbers that no sensor measures are no data, and units that cannot be are refused", "[rasters]") {
  const TemporaryFolder folder;
  for (const bool radar : {true, false})
    for (const ValueCase& one : radar ? kRadarCases : kOpticalCases)
      DYNAMIC_SECTION((radar ? "S1 " : "S2 ") << one.what) {
        const Found found = found_in(folder, radar, one);
        INFO(found.said);
        CHECK(found.without == one.without);
        CHECK(found.said.empty() == one.phrase.empty());
        CHECK(found.said.find(one.phrase) != std::string::npos);
      }
}

TEST_CASE("a stated unit is refused where it cannot be", "[rasters]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s1.tif");
  const auto said = [&](double scale, SarUnit stated) {
    write_made_raster(path, made_plan(40, 40, SampleType::float32, {"VV", "VH"}),
                      [&](Index b, Index r, Index c) { return scale * dark_db(b, r, c); });
    SceneRules rules;
    rules.s1_stated = stated, rules.s1_unit = SarUnit::db;
    return support::refusal_of<DataError>([&] { const Scene scene({"a", path, "", "", "", ""}, rules); });
  };
  CHECK(said(1, SarUnit::db).empty());
  CHECK(said(100, SarUnit::db).find("which db cannot be") != std::string::npos);
  CHECK(said(1, SarUnit::linear).find("its values resemble db; correct it") != std::string::npos);
}

TEST_CASE("bands of a sensor in two units have none", "[rasters]") {
  std::vector<float> db, power;
  for (int i = 0; i < 50; ++i)
    db.push_back(-8.F - static_cast<float>(i % 9)), power.push_back(std::pow(10.F, db[i] / 10));
  CHECK(sar_unit({db, db}) == SarUnit::db);
  CHECK(sar_unit({power, power}) == SarUnit::linear);
  CHECK(sar_unit({db, power}) == std::nullopt);
}

TEST_CASE("bands are known by the names of catalogues and of programs", "[rasters]") {
  for (const auto& [name, band] : std::vector<std::pair<std::string, std::string>>{{"B02", "B2"},
                                                                                   {"b8a", "B8A"},
                                                                                   {"blue", "B2"},
                                                                                   {"swir16", "B11"},
                                                                                   {"nir08", "B8A"},
                                                                                   {"red_edge_1", "B5"},
                                                                                   {"B2 - Blue", "B2"},
                                                                                   {"S2-L2A-B02", "B2"},
                                                                                   {"Sigma0_VV_db", "VV"},
                                                                                   {"vh", "VH"},
                                                                                   {"VV_mask", ""},
                                                                                   {"B2 B3", ""},
                                                                                   {"B2 red", ""},
                                                                                   {"SCL", ""},
                                                                                   {"", ""},
                                                                                   {"Amplitude_VV", ""},
                                                                                   {"rededge", ""},
                                                                                   {"SR_B5", ""},
                                                                                   {"B13", ""}})
    CHECK(band_called(name) == band);
}

TEST_CASE("what a mask or an alpha band hides has no data", "[rasters]") {
  const auto hidden = [](const std::string& path) {
    const RasterReader reader(path);
    std::vector<float> values(reader.facts().whole().pixels());
    reader.read(reader.facts().whole(), std::vector<Index>{0}, values.data());
    return std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); });
  };
  if (const auto folder = support::shared_data("strangers3-learned/fusion")) {
    CHECK(hidden((*folder / "masked_S1.tif").string()) == 600);
    CHECK(hidden((*folder / "masked_S2.tif").string()) == 600);
    CHECK(hidden((*folder / "S1.tif").string()) == 0);
  }
  if (!support::has_program("gdal_translate")) return;
  const TemporaryFolder folder;
  const std::string plain = folder.file("a.tif"), bits = folder.file("bits.tif"), made = folder.file("b.tif");
  write_made_raster(plain, made_plan(40, 50, SampleType::uint8, {"", ""}), [](Index b, Index r, Index c) {
    return b == 0 ? static_cast<double>(10 + (r + c) % 90) : r >= 10 && r < 30 && c >= 20 && c < 45 ? 0. : 255.;
  });
  const auto translated = [&](const std::string& options, const std::string& to) {
    support::printed_by("gdal_translate -q " + options + " " + plain + " " + to);
    return hidden(to);
  };
  CHECK(translated("-b 1 -mask 2 --config GDAL_TIFF_INTERNAL_MASK YES", made) == 500);
  CHECK(
      translated("-b 1 -mask 2 -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 --config GDAL_TIFF_INTERNAL_MASK YES",
                 made) == 500);
  CHECK(translated("-b 1 -mask 2 --config GDAL_TIFF_INTERNAL_MASK NO", folder.file("beside.tif")) == 500);
  CHECK(translated("-b 1 -b 2 -colorinterp_2 alpha -co ALPHA=YES", made) == 500);
  CHECK(translated("-b 1 -b 2", made) == 0);
  support::printed_by("gdal_translate -q -b 2 -scale 0 255 0 1 -co NBITS=1 " + plain + " " + bits);
  const RasterReader reader(bits);
  std::vector<float> values(2000);
  reader.read(reader.facts().whole(), std::vector<Index>{0}, values.data());
  CHECK(std::count(values.begin(), values.end(), 0.F) == 500);
  CHECK(std::count(values.begin(), values.end(), 1.F) == 1500);
}
