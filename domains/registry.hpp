#pragma once
/// The experiments that the command knows. A new one is one more line in registry.cpp.

#include "fovea/core/lab/experiment_catalogue.hpp"

namespace fovea {

Catalogue all_experiments();

}  // namespace fovea
