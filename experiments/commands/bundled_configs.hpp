#pragma once
/// The configs that come with the command, in a folder for each domain.

#include <string>
#include <vector>

namespace fovea::command {

/// The configs of a domain, sorted by name: all *.toml in experiments/<domain> of the current folder, else where the
/// command is installed (share/fovea/experiments beside its bin), else in the sources it was built from. Throws
/// ConfigError that names these places if there is none.
std::vector<std::string> bundled_configs(const std::string& domain);

}  // namespace fovea::command
