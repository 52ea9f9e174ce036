#pragma once
/// Folders that tests use: a fresh one for each test, the samples in the source tree, and data outside of it.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "fovea/tests/support/catch.hpp"

namespace fovea::support {

/// A disk in memory where there is one, for tests that write much: fsync costs nothing there.
inline std::filesystem::path memory_disk() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

/// An empty folder that is removed at the end of the test.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "fovea-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made in " + parent.string());
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  /// The names in the folder.
  std::set<std::string> names() const {
    std::set<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) list.insert(entry.path().filename().string());
    return list;
  }

 private:
  std::filesystem::path path_;
};

/// A file below tests/.
inline std::string source(const std::string& name) {
  return (std::filesystem::absolute(__FILE__).parent_path().parent_path() / name).string();
}

/// A file below tests/golden.
inline std::string golden(const std::string& name) { return source("golden/" + name); }

/// The file or folder data/NAME in the folder FOVEA_SHARED, for data that examines the program but is not part of it;
/// nothing (said as a warning) where it is not there.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const char* folder = std::getenv("FOVEA_SHARED");
  const auto path = std::filesystem::path(folder == nullptr ? "" : folder) / "data" / name;
  if (folder != nullptr && std::filesystem::exists(path)) return path;
  WARN("not tested: " << name << " is not here; set FOVEA_SHARED to the folder that holds data/" << name);
  return std::nullopt;
}

/// Leaves these bytes as a file. Other than write_file() it does not wait for the disk.
inline void put_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// All of a file.
inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace fovea::support
