#pragma once
/// What the keys training.* and ensemble.members say.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/keys.hpp"

namespace fovea::study {

struct FittingSettings {
  Index epochs = 30, patience = 6;
  double learning_rate = 3e-3, weight_decay = 0.01;
  Index batch_tokens = 2048;
  Index batch_cases = 0;  ///< 0: as many as batch_tokens lets in
  Index members = 3;
};

const Keys<FittingSettings>& fitting_keys();

}  // namespace fovea::study
