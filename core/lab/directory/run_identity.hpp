#pragma once
/// What makes two runs the same run: the experiment, its result version, the resolved config, and the content of the
/// input files (not their paths).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"

namespace fovea {

/// A file, or a folder: then the size is that of all files in it and below, and the hash that of their names relative
/// to it, their sizes and their hashes, in the order of the names.
struct InputFile {
  std::string key;   ///< the config key that names it
  std::string path;  ///< absolute
  std::uint64_t size = 0;
  std::string sha256;
};

/// Input files and folders by path, each hashed once: the points of a sweep share them.
class InputFiles {
 public:
  /// Throws StorageError if it cannot be read.
  const InputFile& of(const std::string& key, const std::string& path);
  std::vector<InputFile> all() const;

 private:
  std::map<std::string, InputFile> by_path_;
};

/// The lower-case hexadecimal SHA-256 of experiment name, result version and canonical config, in which every file is
/// replaced by the hash of its content. The seed must be set. Throws StorageError for an unreadable input file.
std::string run_identity(const Experiment& experiment, const Config& config, InputFiles& inputs);

}  // namespace fovea
