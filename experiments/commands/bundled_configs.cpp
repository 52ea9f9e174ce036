#include "fovea/experiments/commands/bundled_configs.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> homes_of_configs() {
  std::vector<fs::path> homes{"experiments"};
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) homes.push_back(self.parent_path().parent_path() / "share" / "fovea" / "experiments");
  homes.push_back(fs::path(FOVEA_SOURCES) / "experiments");
  return homes;
}

std::vector<std::string> configs_in(const fs::path& folder) {
  std::vector<std::string> configs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") configs.push_back(entry.path().string());
  std::sort(configs.begin(), configs.end());
  return configs;
}

}  // namespace

std::vector<std::string> bundled_configs(const std::string& domain) {
  std::string places;
  for (const fs::path& home : homes_of_configs()) {
    std::vector<std::string> configs = configs_in(home / domain);
    if (!configs.empty()) return configs;
    places += (places.empty() ? "" : ", ") + (home / domain).string();
  }
  throw ConfigError(concat(domain, ": there are no configs of this domain in ", places, "."));
}

}  // namespace fovea::command
