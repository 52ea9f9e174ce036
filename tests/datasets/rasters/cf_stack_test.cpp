// netCDF-4 stacks: packed numbers, dates, grids, and what is refused.

#include "fovea/datasets/rasters/cf_stack.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/messages.hpp"

namespace fovea::datasets::rasters {

namespace {

using Texts = std::map<std::string, std::string>;

/// [2 dates, side, side], each number first + its place.
Hdf5Addition cf_variable(const std::string& path, double first, const Texts& texts, std::uint64_t side = 2,
                         StoredNumber stored = StoredNumber::int32) {
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < 2 * side * side; ++i) numbers.push_back(first + static_cast<double>(i));
  return {path, {2, side, side}, stored, numbers, {texts.begin(), texts.end()}};
}

Hdf5Addition cf_times(const std::string& path, const std::string& units, std::vector<double> numbers = {0, 5}) {
  const std::uint64_t count = numbers.size();
  return {path, {count}, StoredNumber::float64, std::move(numbers), {{"units", units}}};
}

std::string cf_file(const support::TemporaryFolder& folder, const std::vector<Hdf5Addition>& arrays) {
  const std::string empty = folder.file("empty.h5"), path = folder.file("stack.nc");
  Hdf5Columns(empty).finish();
  write_edited_copy(empty, path, {}, arrays);
  return path;
}

std::string cf_refusal(const std::vector<Hdf5Addition>& arrays) {
  const support::TemporaryFolder folder;
  const std::string path = cf_file(folder, arrays);
  return support::message_of<DataError>([&] { Stack{Place(path)}; });
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a variable of netCDF for each band is a stack of dates", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string path = cf_file(folder, {cf_variable("/S2-L2A-B04", 0, {{"_FillValue", "3"}}, 4),
                                            cf_variable("/B8A", 100, {{"scale_factor", "1e-4"}}),
                                            cf_variable("/SCL", 4, {}, 4),
                                            cf_times("/t", "days since 2018-01-01"),
                                            cf_variable("/s1/VV", -20, {{"scale_factor", "0.5"}, {"add_offset", "1"}}),
                                            cf_variable("/s1/VH", -30, {}),
                                            cf_times("/s1/t", "seconds since 1970-01-02T00:00:10Z"),
                                            {"/spatial_ref",
                                             {1},
                                             StoredNumber::int32,
                                             std::vector<double>{0},
                                             {{"crs_wkt", "PROJCS[AUTHORITY[\"EPSG\",\"32631\"]]"}}}});
  const Stack stack{Place(path)};
  CHECK(stack.is_netcdf());
  CHECK(stack.system() == "EPSG:32631");
  CHECK(stack.r10m().bands == std::vector<std::string>{"B04"});
  CHECK(stack.r20m().bands == std::vector<std::string>{"B8A"});
  CHECK(stack.s1().bands == std::vector<std::string>{"VV", "VH"});
  CHECK(stack.r10m().times == std::vector<double>{1514764800, 1514764800 + 5 * 86400});
  CHECK(stack.s1().times == std::vector<double>{86410, 86415});
  const Matrix<float> red = stack.image(stack.r10m(), 0);
  CHECK(std::isnan(red(0, 0)));  // a reflectance of 0 is none
  CHECK(red(0, 1) == 1);         // whole numbers without a scale: 10000 x reflectance already
  CHECK(std::isnan(red(0, 3)));
  CHECK(static_cast<double>(stack.image(stack.r20m(), 1)(0, 2)) == Approx(106));  // .0106 of reflectance
  CHECK(static_cast<double>(stack.image(stack.s1(), 0)(0, 1)) == Approx(-8.5));
  CHECK(stack.classes(0)[3] == 7);
}

TEST_CASE("reals of netCDF are reflectances", "[rasters]") {
  const support::TemporaryFolder folder;
  const Stack stack{Place(cf_file(
      folder, {cf_variable("/B02", 0.25, {}, 2, StoredNumber::float32), cf_times("/time", "days since 1970-01-01")}))};
  CHECK(stack.image(stack.r10m(), 0)(0, 0) == 2500);
}

TEST_CASE("units of time are read as the conventions write them", "[rasters]") {
  const auto zero = [](const std::string& units) {
    const auto time = cf_time(units);
    return time ? time->zero : NAN;
  };
  CHECK(zero("seconds since 1970-01-01") == 0);
  CHECK(zero("days since 1970-01-02 01:02:03") == 86400 + 3723);
  CHECK(zero("days since 1970-01-02T01:02:03.500000") == 86400 + 3723);
  CHECK(zero("hours since 1970-1-1 00:00:00 UTC") == 0);
  CHECK(cf_time("minutes since 2000-01-01")->unit == 60);
  for (const char* units : {"days", "months since 2000-01-01", "days since 2000-13-01", "days since never",
                            "days since 2000-01", "days since 2000-02-30", "days since "})
    CHECK_FALSE(cf_time(units).has_value());
}

TEST_CASE("netCDF that is no stack is refused by variable and rule", "[rasters]") {
  const Hdf5Addition t = cf_times("/t", "days since 2018-01-01"), b02 = cf_variable("/B02", 1, {});
  CHECK(says(cf_refusal({cf_variable("/precipitation", 1, {}), t}), "has none of /s1/db"));
  CHECK(says(cf_refusal({b02}), "there is no axis of so many times"));
  CHECK(says(cf_refusal({b02, cf_times("/t", "fortnights since 2018-01-01")}), "'fortnights since 2018-01-01'"));
  CHECK(says(cf_refusal({b02, cf_times("/t", "days since 2018-01-01", {5, 0})}), "sort the dates"));
  CHECK(says(cf_refusal({b02, cf_times("/a", "days since 2018-01-01"), cf_times("/b", "days since 2018-01-01")}),
             "call one of them t or time"));
  CHECK(says(cf_refusal({b02, cf_variable("/x/B02", 1, {}), t}), "are both B02"));
  CHECK(says(cf_refusal({b02, cf_variable("/B03", 1, {}, 4), cf_variable("/B04", 1, {}, 3), t}), "is on a third grid"));
  CHECK(says(cf_refusal({cf_variable("/VV", -9, {}), cf_variable("/VH", -9, {}, 4), t}), "different grids"));
}

}  // namespace fovea::datasets::rasters
