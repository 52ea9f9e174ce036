// netCDF-4 stacks: packed numbers, dates, grids, and what is refused.

#include "fovea/datasets/rasters/cf_stack.hpp"

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/tests/support/test.hpp"

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
  return support::refusal_of<DataError>([&] { Stack{Place(path)}; });
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
  const Hdf5Addition reals{"/B02", {2, 1, 2}, StoredNumber::float32, std::vector<double>{0.25, 1.5, 0.5, 0.125}, {}};
  const Stack stack{Place(cf_file(folder, {reals, cf_times("/time", "days since 1970-01-01")}))};
  CHECK(stack.image(stack.r10m(), 0)(0, 0) == 2500);
  CHECK(stack.image(stack.r10m(), 1)(0, 1) == 1250);
  CHECK(stack.notes() ==
        std::vector<std::string>{stack.path() + ": has no scene classes (/s2/scl, SCL), so every value "
                                                "of S2 counts as clear"});
}

TEST_CASE("reals that are 10000 x reflectance already are taken as they are", "[rasters]") {
  const support::TemporaryFolder folder;
  Hdf5Addition numbers = cf_variable("/B02", 800, {{"_FillValue", "800"}}, 2, StoredNumber::float32);
  const Stack stack{Place(cf_file(folder, {numbers, cf_times("/time", "days since 1970-01-01")}))};
  CHECK(stack.image(stack.r10m(), 0)(0, 1) == 801);
  CHECK(stack.image(stack.r10m(), 1)(0, 3) == 807);
  CHECK(stack.notes() ==
        std::vector<std::string>{stack.path() + ": the reals of /B02 are above 2, so they are taken as "
                                                "10000 x reflectance",
                                 stack.path() + ": has no scene classes (/s2/scl, SCL), so every value "
                                                "of S2 counts as clear"});
}

TEST_CASE("what is missing is compared as the file stores it", "[rasters]") {
  const support::TemporaryFolder folder;
  Hdf5Addition backscatter =
      cf_variable("/VV", -20, {{"_FillValue", "-9999.9"}, {"missing_value", "1e+20, -18"}}, 2, StoredNumber::float32);
  auto& numbers = std::get<std::vector<double>>(backscatter.numbers);
  numbers[0] = static_cast<double>(-9999.9F), numbers[1] = static_cast<double>(1e20F);
  const Stack stack{Place(cf_file(folder, {backscatter, cf_times("/t", "days since 1970-01-01")}))};
  const Matrix<float> image = stack.image(stack.s1(), 0);
  CHECK(std::isnan(image(0, 0)));
  CHECK(std::isnan(image(0, 1)));
  CHECK(std::isnan(image(0, 2)));
  CHECK(image(0, 3) == -17);
}

TEST_CASE("bands are known by small letters and without the zero", "[rasters]") {
  const support::TemporaryFolder folder;
  const Stack stack{Place(cf_file(
      folder, {cf_variable("/b2", 1, {{"crs", "epsg:32631"}}), cf_variable("/B8a", 1, {}), cf_variable("/vv", -9, {}),
               cf_variable("/scl", 4, {}), cf_times("/time", "Days since 2018-01-01")}))};
  CHECK(stack.r10m().bands == std::vector<std::string>{"B02", "B8A"});
  CHECK(stack.s1().bands == std::vector<std::string>{"VV"});
  CHECK(stack.has_classes());
  CHECK(stack.system() == "EPSG:32631");
}

TEST_CASE("the grid mapping that a band names gives the system", "[rasters]") {
  const support::TemporaryFolder folder;
  const auto mapping = [](const char* path, const char* code) {
    return Hdf5Addition{path, {1}, StoredNumber::int32, std::vector<double>{0}, {{"crs_wkt", code}}};
  };
  const Stack stack{
      Place(cf_file(folder, {cf_variable("/B02", 1, {{"grid_mapping", "utm"}}), mapping("/other", "ID[\"EPSG\",4326]"),
                             mapping("/utm", "ID[\"EPSG\",32631]"), cf_times("/t", "days since 2018-01-01")}))};
  CHECK(stack.system() == "EPSG:32631");
}

TEST_CASE("numbers without sign that are stored with one are wrapped", "[rasters]") {
  const support::TemporaryFolder folder;
  const Stack stack{Place(
      cf_file(folder, {cf_variable("/B02", -3, {{"_Unsigned", "true"}, {"_FillValue", "-1"}}, 2, StoredNumber::int8),
                       cf_times("/t", "days since 2018-01-01")}))};
  const Matrix<float> image = stack.image(stack.r10m(), 0);
  CHECK(static_cast<double>(image(0, 0)) == Approx(253.0));
  CHECK(std::isnan(image(0, 2)));
}

TEST_CASE("a classic netCDF file is refused with the way out", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("classic.nc");
  std::ofstream(path) << "CDF\x02 and so on";
  CHECK(support::refusal_of<DataError>([&] { Stack{Place(path)}; }) ==
        path +
            ": is a classic netCDF file, but must be netCDF-4; write it anew, with xarray by to_netcdf(FILE, "
            "format='NETCDF4'), or by nccopy -k nc4.");
}

TEST_CASE("zones and calendars of time are counted", "[rasters]") {
  const auto zero = [](const std::string& units, const std::string& calendar = "standard") {
    const auto time = cf_time(units, calendar);
    return time ? time->zero : NAN;
  };
  CHECK(zero("hours since 1970-01-01 00:00:00 +01:00") == -3600);
  CHECK(zero("hours since 1970-01-01T00:00:00-0630") == 6.5 * 3600);
  CHECK(zero("hours since 1970-01-01 6:00 UTC") == 6 * 3600);
  CHECK(zero("hours since 1970-01-01 -6") == 6 * 3600);
  CHECK(zero("days since 1970-01-01T00:00:00.250Z") == 0.25);
  CHECK(cf_time("Hrs since 2000-01-01")->unit == 3600);
  // The day after 4 October 1582 (Julian) was 15 October 1582 (Gregorian); what is counted from a Julian date is later.
  CHECK(zero("days since 1582-10-15") - zero("days since 1582-10-04") == 86400);
  CHECK(zero("days since 1582-10-15") - zero("days since 1582-10-04", "proleptic_gregorian") == 11 * 86400);
  CHECK(zero("days since 1-1-1", "proleptic_gregorian") == -719162.0 * 86400);
  CHECK(zero("days since 1-1-1") == -719164.0 * 86400);
  CHECK(zero("days since 1900-02-29") != zero("days since 1900-02-29"));  // no such day: NaN
  for (const char* calendar : {"360_day", "noleap", "julian", "all_leap"})
    CHECK_FALSE(cf_time("days since 2000-01-01", calendar).has_value());
  for (const char* units : {"days since 2000-01-01 25:00", "days since 2000-01-01 noon", "days since 2000-01-01 +x",
                            "days since 2000-01-01T", "days since 2000-01-01 10:61", "days since 2000-01-01 00:00 +40"})
    CHECK_FALSE(cf_time(units).has_value());
}

TEST_CASE("units of time are read as the conventions write them", "[rasters]") {
  const auto zero = [](const std::string& units) {
    const auto time = cf_time(units);
    return time ? time->zero : NAN;
  };
  CHECK(zero("seconds since 1970-01-01") == 0);
  CHECK(zero("days since 1970-01-02 01:02:03") == 86400 + 3723);
  CHECK(zero("days since 1970-01-02T01:02:03.500000") == 86400 + 3723.5);
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
