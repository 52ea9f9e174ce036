// Copies of HDF5 files with other numbers and new arrays: what changes, what stays, and what is refused.

#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// An HDF5 file with /a/b [3, 2, 2] of int32 and the list /times of float64.
std::string edited_source(const support::TemporaryFolder& folder) {
  const std::string empty = folder.file("empty.h5"), path = folder.file("source.h5");
  Hdf5Columns file(empty);
  file.attribute("crs", "EPSG:32631");
  file.finish();
  std::vector<double> counts(12);
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<double>(10 * k);
  write_edited_copy(empty, path, {},
                    {{"/a/b", {3, 2, 2}, StoredNumber::int32, counts, {{"bands", "x,y"}}},
                     {"/times", {2}, StoredNumber::float64, std::vector<double>{1.5e9 + 0.25, 2e9}, {}}});
  return path;
}

std::vector<double> numbers_at(const std::string& path, const std::string& array) {
  const Hdf5Rows file(path);
  const Hdf5Entry* entry = file.find(array);
  REQUIRE(entry != nullptr);
  return file.read<double>(*entry, 0, entry->rows());
}

}  // namespace

TEST_CASE("a copy has the numbers that were changed, the new arrays, and all else as it was", "[hdf5]") {
  const support::TemporaryFolder folder;
  const std::string path = edited_source(folder), copy = folder.file("copy.h5");
  const std::string before = support::text_of(path);
  write_edited_copy(
      path, copy, {{"/a/b", {1, 4, 11}, {-7, 8, 9}}},
      {{"/a/c", {2, 2}, StoredNumber::float32, std::vector<float>{1, 2, std::nanf(""), 4}, {{"k", "v"}}}});
  CHECK(numbers_at(copy, "/a/b") == std::vector<double>{0, -7, 20, 30, 8, 50, 60, 70, 80, 90, 100, 9});
  CHECK(numbers_at(copy, "/times") == std::vector<double>{1.5e9 + 0.25, 2e9});
  const std::vector<double> added = numbers_at(copy, "/a/c");
  CHECK(added[3] == 4);
  CHECK(std::isnan(added[2]));
  const Hdf5Rows file(copy);
  CHECK(file.find("/")->attribute("crs") == "EPSG:32631");
  CHECK(file.find("/a/b")->attribute("bands") == "x,y");
  CHECK(file.find("/a/b")->number_bytes == 4);
  CHECK(file.find("/a/c")->attribute("k") == "v");
  CHECK(support::text_of(path) == before);
  write_edited_copy(
      path, folder.file("again.h5"), {{"/a/b", {1, 4, 11}, {-7, 8, 9}}},
      {{"/a/c", {2, 2}, StoredNumber::float32, std::vector<float>{1, 2, std::nanf(""), 4}, {{"k", "v"}}}});
  CHECK(support::text_of(folder.file("again.h5")) == support::text_of(copy));
}

TEST_CASE("changes that cannot be are refused, and nothing is left of the copy", "[hdf5]") {
  const support::TemporaryFolder folder;
  const std::string path = edited_source(folder), copy = folder.file("copy.h5");
  const auto names = folder.names();
  const std::vector<Hdf5Addition> none;
  const auto refusal = [&](const std::string& from, const std::vector<Hdf5Edit>& edits,
                           const std::vector<Hdf5Addition>& additions) {
    return support::refusal_of<DataError>([&] { write_edited_copy(from, copy, edits, additions); });
  };
  CHECK(refusal(path, {{"/a/d", {0}, {1}}}, none) == path + ": has no /a/d.");
  CHECK(refusal(path, {{"/a/b", {12}, {1}}}, none) == path + ": /a/b has fewer numbers than are to be changed.");
  CHECK(refusal(path, {}, {{"/a/b", {1}, StoredNumber::int8, std::vector<float>{1}, {}}}) ==
        path + ": has /a/b already, which would be added; give a file without it.");
  std::string bytes = support::text_of(path);
  std::ofstream(folder.file("cut.h5"), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  CHECK(refusal(folder.file("cut.h5"), {{"/a/b", {0}, {1}}}, none)
            .find("cut.h5: cannot be changed: opening it as HDF5") != std::string::npos);
  using support::refusal_of;
  CHECK(refusal_of<ArgumentError>([&] {
          write_edited_copy(path, copy, {{"/a/b", {1, 0}, {1, 1}}}, none);
        }).find("are not ascending") != std::string::npos);
  CHECK(refusal_of<ArgumentError>([&] {
          write_edited_copy(path, copy, {{"/a/b", {1}, {1, 1}}}, none);
        }).find("1 places but 2 numbers") != std::string::npos);
  auto left = folder.names();
  left.erase("cut.h5");
  CHECK(left == names);
}

TEST_CASE("a file with flipped bytes is copied or refused, never a crash", "[hdf5][hostile]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = edited_source(folder);
  const std::string bytes = support::text_of(path);
  const Random random(11);
  int refused = 0;
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    std::string damaged = bytes;
    for (std::uint64_t flip = 0; flip < 6; ++flip)
      damaged[random.below(std::min<std::size_t>(damaged.size(), 4096), trial, 2 * flip)] =
          static_cast<char>(random.below(256, trial, 2 * flip + 1));
    std::ofstream(folder.file("damaged.h5"), std::ios::binary) << damaged;
    try {
      write_edited_copy(folder.file("damaged.h5"), folder.file("copy.h5"), {{"/a/b", {1}, {5}}}, {});
    } catch (const DataError&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}
