// Where the map of a stack lies: axes that rise or fall, stored as floats, or uneven.

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/domains/fusion/maps/stack_maps.hpp"
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
