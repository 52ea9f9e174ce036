#pragma once
/// The configs that come with the command, in a folder for each domain.

#include <string>
#include <vector>

#include "fovea/core/lab/experiment_catalogue.hpp"

namespace fovea::command {

/// Whether some experiment's name begins with this word and a dot.
bool is_domain(const Catalogue& catalogue, const std::string& word);
/// The domains there are, alphabetical.
std::vector<std::string> domains_of(const Catalogue& catalogue);

/// The configs of a domain, sorted by name: all *.toml in experiments/<domain> of the current folder, else where the
/// command is installed (share/fovea/experiments beside its bin), else in the sources it was built from. Throws
/// ConfigError that names these places if there is none.
std::vector<std::string> bundled_configs(const std::string& domain);

}  // namespace fovea::command
