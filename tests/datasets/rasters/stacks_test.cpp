/// Series of dates in HDF5, against what h5py says of the shared files.

#include <hdf5.h>
#include <hdf5_hl.h>

#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::rasters;

TEST_CASE("the shared stack has its dates, bands and maps", "[rasters]") {
  const auto path = support::shared_data("fusion/wc_be_2018_31UDS.h5");
  if (!path) return;
  const Stack stack(path->string());
  CHECK(stack.s1().bands == std::vector<std::string>{"VV", "VH"});
  CHECK(stack.r10m().bands == std::vector<std::string>{"B02", "B03", "B04", "B08"});
  CHECK(stack.r20m().bands.size() == 6);
  CHECK(stack.s1().times.size() == 159);
  CHECK(stack.r10m().times.size() == 118);
  CHECK(stack.r10m().rows == 64);
  CHECK(stack.system() == "EPSG:32631");
  CHECK(stack.image(stack.r10m(), 3).cols() == 64 * 64);
  CHECK(stack.classes(0).size() == 32 * 32);
  const Matrix<std::int32_t> crops = stack.map("label/CT");
  CHECK((crops.array() == 1200).count() == 1249);
  CHECK((stack.map("label/LC").array() == 11).count() == 1401);
  CHECK_FALSE(stack.has_map("label/y"));
}

TEST_CASE("an HDF5 file without series is refused with what it must have", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.h5");
  Hdf5Columns file(path);
  file.append(file.add("s1", StoredNumber::float32, 1), std::vector<double>{1});
  file.finish();
  using support::refusal_of;
  CHECK(refusal_of<DataError>([&] { Stack stack(path); }) ==
        path +
            ": has none of /s1/db, /s2/r10m and /s2/r20m, nor variables [t, y, x] of netCDF that are called as bands "
            "(VV, B02, ...); a stack must have one of them. With xarray, .to_dataset('band') makes variables of a "
            "dimension band.");
}

TEST_CASE("dates within a day are no Unix seconds", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("stack.h5");
  Hdf5Columns(empty).finish();
  const auto made = [&](double step) {
    std::vector<double> times;
    for (int k = 0; k < 5; ++k) times.push_back(17000 + k * step);
    write_edited_copy(empty, path, {},
                      {{"/s1/db", {5, 2, 1, 1}, StoredNumber::float32, std::vector<double>(10, -9.0), {}},
                       {"/s1/time", {5}, StoredNumber::float64, times, {}}});
    return support::refusal_of<DataError>([&] { Stack stack(path); });
  };
  CHECK(made(10) == path + ": /s1/time: all 5 dates lie within 40 s; they must be Unix seconds.");
  CHECK(made(86400).empty());
  CHECK(made(1e12).find("which is beyond the year 9999; times are Unix seconds: divide milliseconds by 1000.") !=
        std::string::npos);
  std::ofstream(path, std::ios::binary) << "\x1F\x8B packed";
  CHECK(support::refusal_of<DataError>([&] { Stack stack(path); }).ends_with("unpack it: gunzip -k " + path));
}

TEST_CASE("the offset of later processing and fills are found in stacks", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("stack.h5");
  Hdf5Columns(empty).finish();
  constexpr std::uint64_t kSide = 16, kPixels = kSide * kSide;
  const auto made = [&](double later_offset, double fill,
                        double less = 1) {  // two dates before the baseline, two after it
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < 4 * 2 * kPixels; ++i)
      numbers.push_back(
          (i % 50 == 7 ? fill : static_cast<double>(200 + i * 37 % 3000) + (i < 4 * kPixels ? 0 : later_offset)) /
          less);
    write_edited_copy(
        empty, path, {},
        {{"/s2/r10m", {4, 2, kSide, kSide}, StoredNumber::float32, numbers, {{"bands", "B03,B08"}}},
         {"/s2/time", {4}, StoredNumber::float64, std::vector<double>{1.6e9, 1.61e9, 1.66e9, 1.67e9}, {}}});
  };
  const auto settled = [&](std::optional<OpticalUnit> stated) {
    Stack stack(path);
    stack.settle_units(stated);
    return stack;
  };
  const auto refused = [&] { return support::refusal_of<DataError>([&] { settled(std::nullopt); }); };
  made(0, 500);
  CHECK(refused().empty());
  made(1000, 1500);
  CHECK(refused() == path +
                         ": in every band 999 of 1000 values of S2 from 25 January 2022 on are at least 900, as "
                         "those with the offset of baseline 04.00 are; state whether they have it: --set "
                         "data.units.s2=offset, or else --set data.units.s2=numbers.");
  const Stack offset = settled(OpticalUnit::offset_numbers), numbers = settled(OpticalUnit::numbers);
  CHECK(offset.image(offset.r10m(), 1)(0, 0) == numbers.image(numbers.r10m(), 1)(0, 0));
  CHECK(offset.image(offset.r10m(), 3)(0, 0) == numbers.image(numbers.r10m(), 3)(0, 0) - 1000);
  made(0, -9999);
  CHECK(std::isnan(settled(std::nullopt).image(settled(std::nullopt).r10m(), 0)(0, 7)));
  made(0, 65535);
  const std::vector<std::string> notes = settled(std::nullopt).notes();
  CHECK(notes.back().find("65535 in S2 counts as no data") != std::string::npos);
  CHECK(std::count(notes.begin(), notes.end(), notes.back()) == 1);  // though it is there before and from the baseline
  made(0, 200, 32);                                                  // per cent
  CHECK(refused().find("S2: its unit is not determined by its values: 98 of 100 of those examined lie from ") !=
        std::string::npos);
  CHECK(refused().find("times 100 they would fit numbers") != std::string::npos);
  made(0, 200, 10000);
  CHECK(refused().find("S2 seems to be reflectance, but must be stored as 10000 x") != std::string::npos);
  CHECK(settled(OpticalUnit::numbers).notes().size() == 1);
  made(100000, 500);
  CHECK(refused().find("which numbers cannot be") != std::string::npos);
}

namespace {

/// Dates of S1 of one pixel, a packed piece each; pieces of the bad ones are no packed numbers.
std::string made_pieces(const fovea::support::TemporaryFolder& folder, const std::vector<bool>& good) {
  const std::string path = folder.file("pieces.h5");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "s1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t dates = good.size(), shape[4] = {dates, 2, 1, 1}, piece[4] = {1, 2, 1, 1};
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(4, shape, nullptr);
  H5Pset_chunk(creation, 4, piece), H5Pset_deflate(creation, 4);
  const hid_t db = H5Dcreate2(group, "db", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const std::vector<float> numbers(2 * good.size(), -10.0F);
  H5Dwrite(db, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  for (hsize_t date = 0; date < dates; ++date)
    if (const hsize_t at[4] = {date, 0, 0, 0}; !good[date]) H5Dwrite_chunk(db, H5P_DEFAULT, 0, at, 12, "not packed..");
  std::vector<double> times;
  for (std::size_t date = 0; date < good.size(); ++date) times.push_back(1.5e9 + 864000 * static_cast<double>(date));
  H5LTmake_dataset_double(group, "time", 1, shape, times.data());
  H5Dclose(db), H5Sclose(space), H5Pclose(creation), H5Gclose(group), H5Fclose(file);
  return path;
}

}  // namespace

TEST_CASE("a date of a stack that cannot be read is refused, or has no data and is named", "[rasters]") {
  const fovea::support::TemporaryFolder folder;
  Stack stack(Place(made_pieces(folder, {true, false, true})));
  const auto read = [&] { return stack.image(stack.s1(), 1); };
  const std::string plain = fovea::support::refusal_of<DataError>(read);
  CHECK(plain.find("data.bad") == std::string::npos);  // whoever opened it has no such key
  stack.may_leave_out(false);
  CHECK(fovea::support::refusal_of<DataError>(read) ==
        plain + " (/s1/db, date 1) To leave out dates that cannot be read: data.bad='leave out'.");
  stack.may_leave_out(true);
  CHECK(read().array().isNaN().all());
  CHECK(stack.image(stack.s1(), 2)(0, 0) == -10);
  read();
  CHECK(stack.left_out() == std::vector<std::string>{"/s1/db, date 1"});  // once
  Stack worse(Place(made_pieces(folder, {false, false, true})));
  worse.may_leave_out(true);
  worse.image(worse.s1(), 0);
  CHECK(fovea::support::refusal_of<DataError>([&] {
          worse.image(worse.s1(), 1);
        }).ends_with("More than half of the dates cannot be read."));
}

TEST_CASE("bands of stacks go by any name, radar in linear units is refused, and maps of bytes are known",
          "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string empty = folder.file("empty.h5"), path = folder.file("stack.h5");
  Hdf5Columns(empty).finish();
  constexpr std::uint64_t kSide = 16;
  const auto made = [&](double first, const std::string& bands, double label) {
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < 2 * 2 * kSide * kSide; ++i)
      numbers.push_back(first + static_cast<double>(i % 20) * (first > 0 ? 0.01 : 0.5));
    write_edited_copy(empty, path, {},
                      {{"/s1/db", {2, 2, kSide, kSide}, StoredNumber::float32, numbers, {{"bands", bands}}},
                       {"/s1/time", {2}, StoredNumber::float64, std::vector<double>{1.6e9, 1.61e9}, {}},
                       {"/label/a", {1, 2}, StoredNumber::int8, std::vector<double>{1, 2}, {}},
                       {"/label/b", {1, 2}, StoredNumber::float64, std::vector<double>{1, label}, {}}});
    return Stack(path);
  };
  Stack stack = made(-20, "vv, Sigma0_VH_db", 3);
  CHECK(stack.s1().bands == std::vector<std::string>{"VV", "VH"});
  CHECK(stack.is_map_of_bytes("label/a"));
  CHECK_FALSE(stack.is_map_of_bytes("label/b"));
  CHECK_NOTHROW(stack.settle_units(std::nullopt));
  CHECK(made(-20, "one,blue", 3).s1().bands == std::vector<std::string>{"one", "B02"});
  Stack linear = made(0.05, "VV,VH", std::nan(""));
  CHECK(support::refusal_of<DataError>([&] { linear.settle_units(std::nullopt); }).find("convert v by 10 log10(v)") !=
        std::string::npos);
  CHECK(support::refusal_of<DataError>([&] { linear.map("label/b"); }).find("and 0 where there is none") !=
        std::string::npos);
}
