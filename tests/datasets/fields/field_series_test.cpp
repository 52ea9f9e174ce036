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
  const auto write = [&](const std::vector<double>& times) {
    write_edited_copy(empty, path, {},
                      {{"/s1", {1, 5, 2}, StoredNumber::float32, std::vector<double>(10, -9.0), {{"bands", "VV,VH"}}},
                       {"/time", {5}, StoredNumber::float64, times, {}}});
  };
  write({1, 11, 21, 31, 41});
  CHECK_THROWS_WITH(read_field_series(path, "class4"),
                    path + ": time has its 5 dates within a day; it must hold seconds since 1970.");
  write({1.6e12, 1.7e12, 1.8e12, 1.9e12, 2e12});
  CHECK_THROWS_WITH(read_field_series(path, "class4"), path +
                                                           ": time lies behind the year 2100; it must hold seconds "
                                                           "since 1970, not milliseconds or nanoseconds.");
  write({1.6e9, 1.7e9, 1.8e9, 1.9e9, 2e9});
  CHECK(read_field_series(path, "class4").dates() == 5);
}

TEST_CASE("fields with numbers that cannot be are left out and named, where that is asked for", "[fields]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("fields.h5");
  Hdf5Columns(empty).finish();
  const auto write = [&](const std::vector<double>& s1) {
    write_edited_copy(empty, path, {},
                      {{"/s1", {3, 2, 2}, StoredNumber::float32, s1, {{"bands", "VV,VH"}}},
                       {"/class4", {3}, StoredNumber::float64, std::vector<double>{7, 8, 9}, {}},
                       {"/time", {2}, StoredNumber::float64, std::vector<double>{1.6e9, 1.7e9}, {}}});
  };
  write({-1, -1, -1, -1, -2, -2, 99, -2, -3, -3, -3, -3});
  CHECK(support::refusal_of<DataError>([&] {
          read_field_series(path, "class4");
        }).ends_with("To leave out such fields: data.bad='leave out'."));
  const FieldSeries left = read_field_series(path, "class4", true);
  CHECK(left.ids == std::vector<std::string>{"0", "2"});
  CHECK(left.labels == std::vector<std::int64_t>{7, 9});
  CHECK((left.s1.values.rows() == 4 && left.s1.values(2, 0) == -3));
  REQUIRE(left.left_out.size() == 1);
  CHECK(left.left_out.front().second == "s1 has 99 dB in field 2, date 2");
  write({99, -1, -1, -1, -2, -2, 99, -2, -3, -3, -3, -3});
  CHECK(support::refusal_of<DataError>([&] {
          read_field_series(path, "class4", true);
        }).find("more than half of the fields cannot be read") != std::string::npos);
  write(std::vector<double>(12, -1));
  CHECK(read_field_series(path, "class4", true).left_out.empty());
}

}  // namespace fovea::datasets::fields
