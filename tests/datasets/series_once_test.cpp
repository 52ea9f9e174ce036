#include "fovea/datasets/series/once.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"

using namespace fovea;
using support::TemporaryFolder;

namespace {

/// Written so many seconds ago.
void put_aged(const std::string& path, const std::string& text, int seconds) {
  std::ofstream(path, std::ios::binary) << text;
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("a file of series that was looked at is not read again until it changes", "[series]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  put_aged(path, "a,b\n1,2\n2,1\n4,3\n3,5\n", 100);
  const auto first = datasets::series::look_at_series(path);
  CHECK(datasets::series::look_at_series(path) == first);
  CHECK(datasets::series::look_at_series(std::filesystem::relative(path).string()) == first);
  CHECK(datasets::series::look_at_series(path, {"", "", {"b"}})->table.names == std::vector<std::string>{"b"});
  const auto again = datasets::series::look_at_series(path);  // one file is kept, and one way to read it
  CHECK(again != first);
  put_aged(path, "a,b\n1,2\n2,1\n4,3\n3,7\n", 100);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::nanoseconds(1));
  CHECK(datasets::series::look_at_series(path)->table.values(3, 1) == 7);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(datasets::series::look_at_series(path), StorageError);
  CHECK_THROWS_AS(datasets::series::take_series(path), StorageError);
}

TEST_CASE("a file of series that was just written is read each time", "[series]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  put_aged(path, "a\n1\n2\n4\n3\n", -60);  // still just written however long the reading takes
  const auto first = datasets::series::look_at_series(path);
  CHECK(datasets::series::look_at_series(path) != first);
}

TEST_CASE("what was looked at is taken without a copy, unless somebody else still looks", "[series]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  put_aged(path, "a\n1\n2\n4\n3\n", 100);
  const double* const looked_at = datasets::series::look_at_series(path)->table.values.data();
  const datasets::series::SeriesFile taken = datasets::series::take_series(path);
  CHECK(taken.table.values.data() == looked_at);
  const auto next = datasets::series::look_at_series(path);  // read anew: nothing was kept
  CHECK(next->table.values.data() != looked_at);
  CHECK(datasets::series::take_series(path).table.values.data() != next->table.values.data());
  CHECK(next->table.steps() == 4);
  CHECK(datasets::series::take_series(path, {"none", "", {}}).table.steps() == 4);
}
