/// Blocks of rows of HDF5 files of any size, from a child process; files whose arrays grow row by row.

#include "fovea/core/data/file/hdf5_rows.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/hdf5_columns.hpp"
#include "fovea/tests/support/malformed_hdf5.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

std::vector<double> counted_reals(std::size_t count, double first = 0) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// 40,000 rows of three reals and of a whole number, in chunks of 16,384 rows.
void write_rows(const std::string& path, std::size_t rows = 40'000, std::size_t step = 999) {
  Hdf5Columns file(path);
  const std::size_t reals = file.add("reals", StoredNumber::float32, 3),
                    wholes = file.add("wholes", StoredNumber::int32, 1);
  file.attribute(reals, "columns", "a,b,c");
  file.attribute("origin", "a test");
  for (std::size_t row = 0; row < rows; row += step) {
    const std::size_t count = std::min(step, rows - row);
    file.append(reals, counted_reals(3 * count, 3 * static_cast<double>(row)));
    std::vector<std::int64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(row) - 7);
    file.append(wholes, numbers);
  }
  file.finish();
}

}  // namespace

TEST_CASE("the list of an HDF5 file has shapes, kinds, fields and attributes", "[hdf5_rows]") {
  const Hdf5Rows table(support::golden("particles/top_table.h5"));
  CHECK((table.find("/")->is_group && table.find("/table")->is_group && table.find("/nothing") == nullptr));
  const Hdf5Entry& rows = *table.find("/table/table");
  CHECK((rows.kind == Hdf5Kind::compound && rows.rows() == 3 && rows.row_bytes == 8 + 80 + 16));
  REQUIRE(rows.fields.size() == 3);
  CHECK((rows.fields[1].name == "values_block_0" && rows.fields[1].width == 20));
  CHECK((rows.fields[1].kind == Hdf5Kind::reals && rows.fields[2].kind == Hdf5Kind::integers));
  CHECK(rows.attribute("values_block_1_kind") == "(lp0\nVttv\np1\naVis_signal_new\np2\na.");
  CHECK(rows.attribute("none").empty());
  const Hdf5Rows jets(support::golden("particles/jetnet.h5"));
  CHECK(jets.find("/particle_features")->shape == std::vector<std::uint64_t>{3, 4, 4});
  CHECK(jets.find("/particle_features")->width() == 16);
}

TEST_CASE("ranges of rows of arrays and of fields come as they are asked for", "[hdf5_rows]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"));
  const Hdf5Rows file(folder.file("a.h5"));
  CHECK(file.find("/reals")->attribute("columns") == "a,b,c");
  CHECK(file.find("/")->attribute("origin") == "a test");
  const Hdf5Entry &reals = *file.find("/reals"), &wholes = *file.find("/wholes");
  CHECK(file.read<double>(reals, 0, 40'000) == counted_reals(120'000));
  CHECK(file.read<double>(reals, 16'383, 16'385) == counted_reals(6, 3 * 16'383));
  CHECK(file.read<float>(reals, 39'999, 40'000) == std::vector<float>{119'997, 119'998, 119'999});
  CHECK(file.read<std::int64_t>(wholes, 0, 2) == std::vector<std::int64_t>{-7, -6});
  CHECK(file.read<double>(wholes, 39'999, 40'000) == std::vector<double>{39'992});
  CHECK(file.read<double>(reals, 5, 5).empty());
  write_rows(folder.file("long.h5"), 400'000, 9'999);  // handed over in several pieces
  const Hdf5Rows longer(folder.file("long.h5"));
  CHECK(longer.read<double>(*longer.find("/reals"), 3, 400'000) == counted_reals(3 * 399'997, 9));
  const Hdf5Rows table(support::golden("particles/top_table.h5"));
  const Hdf5Entry& rows = *table.find("/table/table");
  CHECK(table.read<std::int64_t>(rows, 1, 3, "values_block_1") == std::vector<std::int64_t>{1, 0, 2, 1});
  CHECK(table.read<float>(rows, 2, 3, "values_block_0").front() == 92.875F);
}

TEST_CASE("what is asked of an HDF5 file must be in it", "[hdf5_rows]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"), 10);
  const Hdf5Rows file(folder.file("a.h5"));
  const Hdf5Entry& reals = *file.find("/reals");
  const auto refusal = [&](const auto& action) { return refusal_of<ArgumentError>(action); };
  CHECK(refusal([&] { file.read<double>(reals, 5, 11); }) ==
        "Hdf5Rows: rows 5 to 11 are asked of /reals, which has 10; ask for rows that it has.");
  CHECK(refusal([&] { file.read<std::int64_t>(reals, 0, 1); }).find("holds no numbers of the kind") !=
        std::string::npos);
  CHECK(refusal([&] { file.read<double>(reals, 0, 1, "x"); }).find("has no field 'x'") != std::string::npos);
  CHECK(refusal([&] { file.read<double>(*file.find("/"), 0, 0); }) != "");
  CHECK(file.read<double>(reals, 0, 10).size() == 30);  // a refusal harms nobody
  CHECK(refusal_of<DataError>([&] { Hdf5Rows(folder.file("none.h5")); }) != "");
  CHECK(refusal_of<DataError>([&] { Hdf5Rows(folder.path()); }) ==
        folder.path() + ": is no regular file; name an HDF5 file.");
}

TEST_CASE("an array of 256 MiB is read in the memory of a block", "[hdf5_rows]") {
  const TemporaryFolder folder;
  {
    Hdf5Columns file(folder.file("a.h5"));
    const std::size_t array = file.add("zeros", StoredNumber::float64, 8);
    const std::vector<double> zeros(8 * 65'536);
    for (int block = 0; block < 64; ++block) file.append(array, zeros);  // 256 MiB
    file.finish();
  }
  const Hdf5Rows file(folder.file("a.h5"));
  const double before = test::peak_mebibytes(true);
  const Hdf5Entry& zeros = *file.find("/zeros");
  std::uint64_t read = 0;
  for (std::uint64_t row = 0; row < zeros.rows(); row += 4096) read += file.read<double>(zeros, row, row + 4096).size();
  CHECK(read == 8 * 64 * 65'536);
  if (!support::address_sanitizer())  // which keeps what is freed for a while
    CHECK(test::peak_mebibytes(false) < before + 32);
}

TEST_CASE("malformed HDF5 files end in a DataError, read row by row too", "[hdf5_rows][fault]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"), 100);
  const std::string path = folder.file("b.h5");
  const std::string bytes = support::text_of(folder.file("a.h5"));
  for (std::size_t size = 0; size < bytes.size(); size += bytes.size() / 20) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    CHECK(refusal_of<DataError>([&] { Hdf5Rows file(path); }).starts_with(path + ": is damaged, or no HDF5 file: "));
  }
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no child is left
}

TEST_CASE("being asked to stop ends the wait for rows", "[hdf5_rows][fault]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"), 10);
  const Hdf5Rows file(folder.file("a.h5"));
  process_stop_flag() = SIGTERM;
  CHECK(refusal_of<Interrupted>([&] { file.read<double>(*file.find("/reals"), 0, 10); }) ==
        folder.file("a.h5") + ": stopped while it was read.");
  process_stop_flag() = 0;
  CHECK(file.read<double>(*file.find("/reals"), 0, 10) == counted_reals(30));
}

TEST_CASE("several files are read at the same time, and each child ends with its reader", "[hdf5_rows]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"), 10);
  {
    std::vector<Hdf5Rows> files;
    for (int i = 0; i < 5; ++i) files.emplace_back(folder.file("a.h5"));
    for (const Hdf5Rows& file : files) CHECK(file.read<double>(*file.find("/reals"), 0, 10) == counted_reals(30));
    files.pop_back();
    CHECK(files.front().read<double>(*files.front().find("/reals"), 9, 10) == counted_reals(3, 27));
  }
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("the same calls make the same bytes, and other pieces the same rows", "[hdf5_rows]") {
  const TemporaryFolder folder;
  write_rows(folder.file("a.h5"), 40'000, 999);
  write_rows(folder.file("b.h5"), 40'000, 999);
  write_rows(folder.file("pieces.h5"), 40'000, 40'000);
  const bool same_bytes = support::text_of(folder.file("a.h5")) == support::text_of(folder.file("b.h5"));
  CHECK(same_bytes);
  const Hdf5Rows pieces(folder.file("pieces.h5"));
  CHECK(pieces.read<double>(*pieces.find("/reals"), 0, 40'000) == counted_reals(120'000));
  Hdf5Columns file(folder.file("c.h5"));
  const std::size_t small = file.add("small", StoredNumber::int8, 1);
  CHECK(refusal_of<ArgumentError>([&] { file.append(small, std::vector<std::int64_t>{128}); }) ==
        "Hdf5Columns: 128 does not fit 'small'.");
  CHECK(refusal_of<ArgumentError>([&] { file.append(small, std::vector<double>{1}); }) ==
        "Hdf5Columns: 1 reals do not fit 'small', which has 1 a row.");
}
