#pragma once
/// The domains that the command knows, each declared in domains/NAME/domain.cpp. A new one is one more line in
/// registry.cpp.

#include <vector>

#include "fovea/core/lab/domain.hpp"
#include "fovea/core/lab/experiment_catalogue.hpp"

namespace fovea {

/// Alphabetical.
const std::vector<Domain>& domains();

/// nullptr if there is none of that name.
const Domain* find_domain(std::string_view name);

/// The experiments of all domains.
Catalogue all_experiments();

/// The kinds of findings of core and of all domains; each name once.
std::vector<FindingKind> all_finding_kinds();

}  // namespace fovea
