#include "fovea/core/lab/directory/run_identity.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

const InputFile& InputFiles::of(const std::string& key, const std::string& path) {
  const auto found = by_path_.find(path);
  if (found != by_path_.end()) return found->second;
  const std::string hash = sha256_of_file(path);
  return by_path_.emplace(path, InputFile{key, path, std::filesystem::file_size(path), hash}).first->second;
}

std::vector<InputFile> InputFiles::all() const {
  std::vector<InputFile> files;
  for (const auto& [path, file] : by_path_) files.push_back(file);
  return files;
}

std::string run_identity(const Experiment& experiment, const Config& config, InputFiles& inputs) {
  require(config.seed.has_value(), "run_identity: the config has no seed; resolve_seed() sets it.");
  Config canonical = config;
  for (const Parameter& parameter : config.schema().parameters()) {
    if (parameter.type != ValueType::file) continue;
    const std::string& path = config.text(parameter.key);
    if (path.empty()) continue;
    canonical.set(parameter.key, "sha256:" + inputs.of(parameter.key, path).sha256, config.source(parameter.key));
  }
  return sha256(concat(experiment.name(), '\n', experiment.result_version(), '\n', to_toml(canonical)));
}

}  // namespace fovea
