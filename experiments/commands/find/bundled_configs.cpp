#include "fovea/experiments/commands/find/bundled_configs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

/// The folder "share" beside the command's bin; empty where it is not known.
fs::path share() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path().parent_path() / "share";
}

std::vector<fs::path> homes_of_configs() {
  std::vector<fs::path> homes{"experiments"};
  if (const fs::path shared = share(); !shared.empty()) homes.push_back(shared / "fovea" / "experiments");
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

/// What follows `mark` at the beginning of a line; "" where no line begins so.
std::string behind(const std::string& line, const std::string& mark) {
  return line.starts_with(mark) ? line.substr(std::min(line.find_first_not_of(' ', mark.size()), line.size())) : "";
}

/// "opinion/temperature" of "experiments/opinion/temperature.toml"; other names as they are.
std::string short_name(const std::string& name) {
  const std::string home = "experiments/", ending = ".toml";
  if (!name.starts_with(home) || !name.ends_with(ending)) return name;
  return name.substr(home.size(), name.size() - home.size() - ending.size());
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

BundledConfig described_config(const std::string& path) {
  const fs::path file_path(path);
  const std::string domain = file_path.parent_path().filename().string();
  BundledConfig config{domain + '/' + file_path.stem().string(), path, "", "", ""};
  std::ifstream file(path);
  for (std::string line; config.title.empty() && std::getline(file, line);) {
    if (const std::string time = behind(line, "# How long:"); !time.empty())
      config.time = time.substr(0, std::min(time.find_first_of(".;,"), time.find(" on 2")));
    if (const std::string needs = behind(line, "# Needs:"); !needs.empty()) config.needs = needs;
    if (const std::string title = behind(line, "title = \""); !title.empty())
      config.title = title.substr(0, title.find('"'));
  }
  return config;
}

std::vector<BundledConfig> described_configs(const std::string& domain) {
  std::vector<BundledConfig> configs;
  for (const std::string& path : bundled_configs(domain)) configs.push_back(described_config(path));
  return configs;
}

std::vector<std::string> config_names() {
  std::vector<std::string> names;
  for (const Domain& domain : domains())
    for (const fs::path& home : homes_of_configs())
      for (const std::string& path : configs_in(home / domain.name))
        names.push_back(domain.name + '/' + fs::path(path).stem().string());
  return names;
}

std::string config_path(const std::string& name) {
  const std::string wanted = short_name(name);
  std::vector<std::string> found;
  std::string candidates;
  for (const Domain& domain : domains()) {
    const bool of_domain = wanted.starts_with(domain.name + '/');
    const std::string stem = of_domain ? wanted.substr(domain.name.size() + 1) : wanted;
    if (stem.empty() || stem.find('/') != std::string::npos) continue;
    for (const fs::path& home : homes_of_configs()) {
      std::error_code error;
      const fs::path path = home / domain.name / (stem + ".toml");
      if (!fs::is_regular_file(path, error)) continue;
      found.push_back(path.string());
      candidates += concat(candidates.empty() ? "" : ", ", domain.name, '/', stem);
      break;
    }
  }
  if (found.size() > 1) throw ConfigError(concat(name, ": is a config of several domains; give one of ", candidates));
  return found.empty() ? "" : found.front();
}

std::string document_path(const std::string& name) {
  std::error_code error;
  for (const fs::path& home : {share() / "doc" / "fovea", fs::path(FOVEA_SOURCES)})
    if (const fs::path path = home / name; fs::is_regular_file(path, error)) return path.string();
  return "";
}

}  // namespace fovea::command
