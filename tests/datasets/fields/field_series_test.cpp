// Series of fields: units, missing numbers, names; and the shared file where it is there.

#include "fovea/datasets/fields/field_series.hpp"
#include "fovea/datasets/fields/moisture_table.hpp"

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
  const auto missing_s1 = static_cast<double>((series.s1.values.array() != series.s1.values.array()).count());
  CHECK(missing_s1 / static_cast<double>(series.s1.values.size()) == Approx(0.073).margin(0.001));
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

TEST_CASE("rows of moisture that cannot be are refused with the way out, or left out and named", "[fields]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("moisture.h5");
  Hdf5Columns(empty).finish();
  struct Numbers {
    std::vector<double> x, y, month;
  };
  const auto good = [] {  // eight rows of two months: VV, VH, B8
    Numbers made;
    for (int row = 0; row < 8; ++row)
      for (int month = 0; month < 2; ++month) {
        made.x.insert(made.x.end(), {-10.0, -15.0, 3000.0 + row}), made.month.push_back(month);
        if (month == 0) made.y.push_back(100 + row);
      }
    return made;
  };
  const auto write = [&](const Numbers& made) {
    write_edited_copy(empty, path, {},
                      {{"/x", {8, 2, 3}, StoredNumber::float64, made.x, {{"bands", "VV,VH,B8"}}},
                       {"/y", {8}, StoredNumber::float64, made.y, {}},
                       {"/month", {8, 2}, StoredNumber::float64, made.month, {}}});
  };
  Numbers bad = good();
  bad.x[6] = INFINITY, bad.y[2] = -3, bad.month[2 * 4 + 1] = 12;
  for (std::size_t k = 36; k < 42; ++k) bad.x[k] = k % 3 == 0 ? -10 : kNan;  // of the seventh no sensor is whole
  write(bad);
  CHECK(support::refusal_of<DataError>([&] { read_moisture_table(path); }) ==
        path + ": VV has inf in row 1, but must be finite. To leave out such rows: data.bad='leave out'.");
  const MoistureTable left = read_moisture_table(path, true);
  CHECK(left.ids == std::vector<std::string>{"0", "3", "5", "7"});
  CHECK(left.moisture == std::vector<double>{100, 103, 105, 107});
  CHECK((left.values.rows() == 8 && left.values(2, 2) == 3003 && left.month.rows() == 4));
  CHECK(left.left_out == std::vector<std::string>{"VV has inf in row 1", "y has -3 in row 2", "month has 12 in row 4",
                                                  "row 6 has numbers of neither sensor in any month"});
  bad.y[7] = 1e6;
  write(bad);
  CHECK(support::refusal_of<DataError>([&] { read_moisture_table(path, true); }).find("more than half of the rows") !=
        std::string::npos);
  Numbers gaps = good();
  gaps.x[0] = kNan, gaps.y[1] = kNan;  // S2 shows that month, and another moisture is known
  write(gaps);
  CHECK(read_moisture_table(path, true).left_out.empty());
  CHECK(read_moisture_table(path).count() == 8);
}

}  // namespace fovea::datasets::fields
