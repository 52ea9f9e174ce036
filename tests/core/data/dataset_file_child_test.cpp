#include "fovea/core/data/file/dataset_file_child.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/messages.hpp"

using namespace fovea;
using support::message_of;
using support::TemporaryFolder;

namespace {

/// How many children came here before: each leaves a letter in the file.
std::size_t children_before(const std::string& path) {
  const std::string before = read_file(path);
  write_file(path, before + "x");
  return before.size();
}

Dataset one_number() {
  Dataset data;
  data.add({"answer", {}, std::vector<double>{42}, "1", "", {}});
  return data;
}

std::string refusal(const std::function<Dataset()>& read) {
  return message_of<DataError>([&] { in_child("x.h5", 0, read); });
}

}  // namespace

TEST_CASE("a child that waits for what never comes is replaced", "[dataset_file][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("children");
  write_file(path, "");
  const Dataset data = in_child(path, 0, [&] {
    if (children_before(path) < 2) ::pause();
    return one_number();
  });
  CHECK(std::get<std::vector<double>>(data.at("answer").values) == std::vector<double>{42});
  CHECK(read_file(path) == "xxx");
}

TEST_CASE("a child's refusal, crash and endless work are told apart", "[dataset_file][fault]") {
  CHECK(refusal([]() -> Dataset { throw DataError("x.h5: has no array."); }) == "x.h5: has no array.");
  CHECK(refusal([]() -> Dataset { std::abort(); }) ==
        "x.h5: is damaged: reading it crashed the HDF5 library; restore it from a copy, or make it again.");
  CHECK(refusal([]() -> Dataset {
          for (std::atomic<unsigned> turns{0};;) ++turns;
        }) == "x.h5: is damaged: reading it hung the HDF5 library; restore it from a copy, or make it again.");
}
