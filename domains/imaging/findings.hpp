#pragma once
/// What the pages of imaging state in words, by kind.

#include <string>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::imaging {}  // namespace fovea::imaging
