#pragma once
/// The data of `fovea example` that belong to this domain.

#include <vector>

#include "fovea/core/lab/domain.hpp"

namespace fovea::imaging {

std::vector<Example> examples();

}  // namespace fovea::imaging
