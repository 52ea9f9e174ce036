#include "fovea/core/data/file/dataset_file_child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// How many children came here before: each leaves a letter in the file.
std::size_t children_before(const std::string& path) {
  const std::string before = read_file(path);
  write_file(path, before + "x");
  return before.size();
}

DecodedFile one_number() {
  DecodedFile file;
  file.data.add({"answer", {}, std::vector<double>{42}, "1", "", {}});
  return file;
}

using Read = std::function<DecodedFile(const TakeSize&)>;

std::vector<FileRead> read_in_child(const std::vector<Read>& reads) {
  std::vector<FileToRead> files;
  for (const Read& read : reads) files.push_back({concat(files.size(), ".h5"), 0, read});
  return in_child(files);
}

std::string refusal(const std::vector<Read>& reads) {
  return refusal_of<DataError>([&] { read_in_child(reads); });
}

DecodedFile good(const TakeSize& holds) {
  holds(8);
  return one_number();
}

DecodedFile crash(const TakeSize&) { std::abort(); }

DecodedFile hang(const TakeSize&) {
  for (std::atomic<unsigned> turns{0};;) ++turns;
}

}  // namespace

TEST_CASE("a child that waits for what never comes is replaced", "[dataset_file][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("children");
  write_file(path, "");
  const auto read = read_in_child({[&](const TakeSize&) {
    if (children_before(path) < 2) ::pause();
    return one_number();
  }});
  CHECK(read.at(0).file.data.at("answer").reals() == std::vector<double>{42});
  CHECK(read.at(0).content_hash == content_hash(one_number().data));
  CHECK(read_file(path) == "xxx");
}

TEST_CASE("a child's refusal, crash and endless work are told apart, with the file it was at",
          "[dataset_file][fault]") {
  const Read refuse = [](const TakeSize&) -> DecodedFile { throw DataError("x.h5: has no array."); };
  CHECK(refusal({refuse}) == "x.h5: has no array.");
  CHECK(refusal({good, refuse, crash}) == "x.h5: has no array.");
  const std::string way_out = "; restore it from a copy, or make it again.";
  CHECK(refusal({crash}) == "0.h5: is damaged: reading it made the HDF5 library crash" + way_out);
  CHECK(refusal({good, good, crash, good}) == "2.h5: is damaged: reading it made the HDF5 library crash" + way_out);
  CHECK(refusal({good, hang}) == "1.h5: is damaged: reading it made the HDF5 library hang" + way_out);
}

TEST_CASE("a child has the time and memory that unpacking its files takes", "[dataset_file][fault]") {
  const Read slow = [](const TakeSize& holds) {
    holds(400'000'000);
    const std::clock_t start = std::clock();
    while (std::clock() - start < 3 * CLOCKS_PER_SEC) continue;  // 2 s are for nothing, 1 s for each 100 MB
    return one_number();
  };
  const std::size_t size = 1'000'000;  // at most 1100 MB are believed to be in it
  CHECK(in_child(std::vector<FileToRead>{{"x.h5", size, slow}}).size() == 1);
  CHECK(refusal_of<DataError>([&] {
          in_child(std::vector<FileToRead>{{"x.h5", size / 100, slow}});
        }).find("made the HDF5 library hang") != std::string::npos);
}

TEST_CASE("being asked to stop ends the wait for a child at once", "[dataset_file][fault]") {
  const auto start = std::chrono::steady_clock::now();
  std::thread asks([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    process_stop_flag() = SIGTERM;
  });
  CHECK(refusal_of<Interrupted>([] { read_in_child({hang}); }) == "0.h5: stopped while it was read.");
  asks.join();
  process_stop_flag() = 0;
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1500));  // hung: after 2 s
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);                                       // no child is left
}

TEST_CASE("a child does not hear the signals that ask its parent to stop", "[dataset_file][fault]") {
  const auto read = read_in_child({[](const TakeSize&) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) ::raise(number);
    return one_number();
  }});
  CHECK(read.size() == 1);
}
