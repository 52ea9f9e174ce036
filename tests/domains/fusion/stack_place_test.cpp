// Where the map of a stack lies: axes that rise or fall, stored as floats, or uneven; and what `fovea inspect` says of
// images.

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/domains/fusion/inspect/facts.hpp"
#include "fovea/domains/fusion/inspect/inspection.hpp"
#include "fovea/domains/fusion/maps/stack_maps.hpp"
#include "fovea/tests/domains/fusion/made_flood.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::maps {

namespace {

StackPlace place_of(const std::vector<double>& x, const std::vector<double>& y,
                    StoredNumber stored = StoredNumber::float64) {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("stack.nc");
  Hdf5Columns(empty).finish();
  const std::uint64_t rows = y.size(), columns = x.size();
  write_edited_copy(empty, path, {},
                    {{"/B02", {1, rows, columns}, StoredNumber::int32, std::vector<double>(rows * columns, 1), {}},
                     {"/t", {1}, StoredNumber::float64, std::vector<double>{0}, {{"units", "days since 2018-01-01"}}},
                     {"/x", {columns}, stored, x, {{"crs", "EPSG:32631"}}},
                     {"/y", {rows}, stored, y, {}}});
  return place_of_stack(path, static_cast<Index>(rows), static_cast<Index>(columns));
}

}  // namespace

TEST_CASE("a stack whose y rises lies where one whose y falls does, its rows turned over", "[fusion]") {
  const StackPlace falling = place_of({105, 115, 125}, {225, 215}), rising = place_of({105, 115, 125}, {215, 225});
  CHECK(falling.georeference.tie_points == std::vector<double>{0, 0, 0, 100, 230, 0});
  CHECK(rising.georeference.tie_points == falling.georeference.tie_points);
  CHECK(rising.georeference.pixel_scale == falling.georeference.pixel_scale);
  CHECK(rising.georeference.geo_keys == falling.georeference.geo_keys);
  CHECK_FALSE(falling.rising);
  CHECK(rising.rising);
  std::vector<int> layers{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};
  turn_over(layers.data(), 2, 3, 2);
  CHECK(layers == std::vector<int>{5, 6, 3, 4, 1, 2, 50, 60, 30, 40, 10, 20});
}

TEST_CASE("centres that are stored as floats are even within their rounding", "[fusion]") {
  const std::vector<double> degrees{5.1, 5.1001, 5.1002, 5.1003};
  const StackPlace place = place_of(degrees, {51.4, 51.3999}, StoredNumber::float32);
  REQUIRE(place.georeference.is_there());
  CHECK(place.georeference.pixel_scale[0] == Approx(1e-4).epsilon(0.005));
  CHECK_FALSE(place_of({5.1, 5.100001, 5.100002}, {51.4, 51.39}, StoredNumber::float32).georeference.is_there());
  CHECK_FALSE(place_of({0, 10, 21}, {10, 0}).georeference.is_there());
  CHECK_FALSE(place_of({20, 10, 0}, {10, 0}).georeference.is_there());
}

}  // namespace fovea::fusion::maps

namespace fovea::fusion::inspect {

namespace {

std::string line_of(const ImageFacts& facts, const std::string& name) {
  for (const auto& [key, text] : facts.lines)
    if (key == name) return text;
  return "";
}

}  // namespace

TEST_CASE("images are known by what they hold, and it is said", "[fusion]") {
  const TemporaryFolder folder;
  support::write_scene(folder, "a", {50, 60, 3, 32});
  const std::string list = support::write_scene_list(folder, {"a"}), s2 = folder.file("a_s2.tif");
  CHECK_FALSE(is_stack(s2));
  CHECK(inspection().knows(list));
  CHECK(inspection().knows(s2));
  support::write_bytes(folder.file("stays.csv"), "stay,time,variable,value\n1,0,a,2\n");
  CHECK_FALSE(inspection().knows(folder.file("stays.csv")));
  Arguments arguments;
  arguments.positional = {s2, folder.file("stays.csv")};
  CHECK(support::refusal_of<DataError>([&] { inspection().text(arguments, Form::text, 80); }) ==
        folder.file("stays.csv") + ": is no list of scenes, GeoTIFF or stack of images; inspect it by itself.");
  const std::vector<ImageFacts> scenes = facts_of_scenes(list);
  REQUIRE(scenes.size() == 1);
  CHECK(line_of(scenes[0], "grid") == "60 x 50 pixels of 10 x 10, EPSG:32631");
  CHECK(line_of(scenes[0], "s1").find("VV, VH; unit db, assumed from its values: 98 of 100 of those examined from ") !=
        std::string::npos);
  CHECK(line_of(scenes[0], "s2").find("B2, B3, B4, B8; unit numbers") != std::string::npos);
  CHECK(line_of(scenes[0], "sensors").find("both at ") == 0);
  CHECK(line_of(scenes[0], "labels").empty());
  CHECK(line_of(facts_of_geotiff(s2), "numbers") == "int16, no-data number 0");
  support::write_made_raster(folder.file("map.tif"),
                             support::made_plan(8, 8, datasets::rasters::SampleType::uint8, {"class"}),
                             [](auto, auto row, auto) { return static_cast<double>(row % 2); });
  CHECK(line_of(facts_of_geotiff(folder.file("map.tif")), "band 1 class") ==
        "values 0 (32), 1 (32); no data at 0 of 64 pixels");
  support::write_made_raster(folder.file("many.tif"),
                             support::made_plan(8, 8, datasets::rasters::SampleType::uint8, {"class"}),
                             [](auto, auto row, auto column) { return static_cast<double>(8 * row + column); });
  CHECK(line_of(facts_of_geotiff(folder.file("many.tif")), "band 1 class") == "0 to 63; no data at 0 of 64 pixels");
}

}  // namespace fovea::fusion::inspect
