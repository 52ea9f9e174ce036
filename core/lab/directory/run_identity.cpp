#include "fovea/core/lab/directory/run_identity.hpp"

#include <filesystem>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// Size and hash of a folder: of the lines "LENGTH-OF-NAME NAME SIZE HASH" of all files in it and below, in the order
/// of their names. What is neither a file nor a folder has no content.
InputFile hashed_folder(const std::string& key, const std::string& path) {
  std::map<std::string, fs::path> files;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.emplace(entry.path().lexically_relative(path).generic_string(), entry.path());
  } catch (const fs::filesystem_error& error) {
    throw StorageError(concat(path, ": the folder cannot be read (", error.code().message(), ")."));
  }
  InputFile folder{key, path, 0, ""};
  Sha256 hash;
  for (const auto& [name, file] : files) {
    const std::uint64_t size = fs::file_size(file);
    folder.size += size;
    hash.add(concat(name.size(), ' ', name, ' ', size, ' ', sha256_of_file(file.string()), '\n'));
  }
  folder.sha256 = hash.hex();
  return folder;
}

InputFile hashed(const std::string& key, const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return hashed_folder(key, path);
  const std::string hash = sha256_of_file(path);
  return {key, path, fs::file_size(path), hash};
}

}  // namespace

const InputFile& InputFiles::of(const std::string& key, const std::string& path) {
  const auto found = by_path_.find(path);
  return found != by_path_.end() ? found->second : by_path_.emplace(path, hashed(key, path)).first->second;
}

std::vector<InputFile> InputFiles::all() const {
  std::vector<InputFile> files;
  for (const auto& [path, file] : by_path_) files.push_back(file);
  return files;
}

std::string run_identity(const Experiment& experiment, const Config& config, InputFiles& inputs) {
  require(config.seed.has_value(), "run_identity: the config has no seed; resolve_seed() sets it.");
  std::optional<Config> canonical;  // a copy only where there are files
  for (const Parameter& parameter : config.schema().parameters()) {
    if (!parameter.names_inputs()) continue;
    if (!canonical) canonical = config;
    std::vector<std::string> contents;
    for (const std::string& path : paths_of(config, parameter))
      contents.push_back("sha256:" + inputs.of(parameter.key, path).sha256);
    set_paths(*canonical, parameter, contents, config.source(parameter.key));
  }
  return sha256(
      concat(experiment.name(), '\n', experiment.result_version(), '\n', to_toml(canonical ? *canonical : config)));
}

}  // namespace fovea
