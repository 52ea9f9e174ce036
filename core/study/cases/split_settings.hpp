#pragma once
/// What the keys split.* say.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/keys.hpp"

namespace fovea::study {

struct SplitSettings {
  double validation = 0.15, test = 0.25;  ///< shares of the cases
  Index folds = 0;
};

const Keys<SplitSettings>& split_keys();

}  // namespace fovea::study
