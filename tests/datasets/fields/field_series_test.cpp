// Series of fields: units, missing numbers, names; and the shared file where it is there.

#include "fovea/datasets/fields/field_series.hpp"

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::fields {

TEST_CASE("the fields of WorldCereal are read with units, gaps, labels and folds", "[fields]") {
  const auto path = support::shared_data("fusion/crops_fra2023_dekad.h5");
  if (!path) return;
  const FieldSeries series = read_field_series(path->string(), "class4");
  CHECK(series.count() == 500);
  CHECK(series.dates() == 51);
  CHECK(series.days.front() == Approx(19236));  // 2022-09-01
  CHECK(series.s2.bands.size() == 9);
  CHECK(series.s2.bands.front() == "B02");
  CHECK(series.s1.bands == std::vector<std::string>{"VV", "VH"});
  const auto missing = static_cast<double>((series.s2.values.array() != series.s2.values.array()).count());
  CHECK(missing / static_cast<double>(series.s2.values.size()) == Approx(0.477).margin(0.001));
  CHECK(std::count(series.labels.begin(), series.labels.end(), 1101) == 185);
  CHECK(std::count(series.folds.begin(), series.folds.end(), 5) == 0);
  CHECK(series.ids.front().size() > 1);
  CHECK(read_field_series(path->string(), "no such label").labels.empty());
}

TEST_CASE("files that hold no series of fields are refused with what they must have", "[fields]") {
  const auto moisture = support::shared_data("fusion/fuel_moisture.h5");
  if (!moisture) return;
  CHECK_THROWS_WITH(read_field_series(moisture->string(), "y"),
                    moisture->string() + ": has neither s1 nor s2; series of fields need one of them.");
}

TEST_CASE("fields whose dates lie within a day are refused", "[fields]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("fields.h5");
  Hdf5Columns(empty).finish();
  write_edited_copy(empty, path, {},
                    {{"/s1", {1, 5, 2}, StoredNumber::float32, std::vector<double>(10, -9.0), {{"bands", "VV,VH"}}},
                     {"/time", {5}, StoredNumber::float64, std::vector<double>{1, 11, 21, 31, 41}, {}}});
  CHECK_THROWS_WITH(read_field_series(path, "class4"),
                    path + ": time has its 5 dates within a day; it must hold seconds since 1970.");
}

}  // namespace fovea::datasets::fields
