#pragma once
/// What the keys split.* say.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/keys.hpp"

namespace fovea::study {

/// What teaches, calibrates and decides a fold: all others (folds/folds.hpp), or what was known before it began
/// (folds/blocks.hpp).
enum class FoldMethod { group, time };

struct SplitSettings {
  double validation = 0.15, test = 0.25;  ///< shares of the cases
  Index folds = 0;
  FoldMethod method = FoldMethod::group;
  double embargo = 0;  ///< in the unit of the times
};

const Keys<SplitSettings>& split_keys();

}  // namespace fovea::study
