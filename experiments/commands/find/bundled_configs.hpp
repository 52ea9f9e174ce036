#pragma once
/// The configs and documents that come with the command: in the current folder, else where the command is installed
/// (share beside its bin), else in the sources it was built from.

#include <string>
#include <vector>

namespace fovea::command {

/// A config as its first lines describe it.
struct BundledConfig {
  std::string name;  ///< "opinion/temperature"
  std::string path;
  std::string title;
  std::string time;   ///< "about half a minute", on two cores
  std::string needs;  ///< files that it asks for, and where they are from; empty: it runs as it is
};

/// The configs of a domain, sorted by name: all *.toml in its folder. Throws ConfigError that names the places where
/// there is none.
std::vector<std::string> bundled_configs(const std::string& domain);
std::vector<BundledConfig> described_configs(const std::string& domain);
/// As its first lines say.
BundledConfig described_config(const std::string& path);
/// DOMAIN/NAME of each config of each domain.
std::vector<std::string> config_names();

/// The bundled config that is called "temperature", "opinion/temperature" or "experiments/opinion/temperature.toml";
/// "" where none is. Throws ConfigError with the candidates where several domains have a config of that name.
std::string config_path(const std::string& name);

/// Where a document lies, such as "domains/lag/README.md"; "" if it is not there.
std::string document_path(const std::string& name);

}  // namespace fovea::command
