#pragma once
/// What trees beside a model learn from, and how.

#include <cstdint>
#include <span>

#include "fovea/core/study/trees/bagged_trees.hpp"
#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::study {

struct TreeLesson {
  const Matrix<float>& rows;                 ///< NaN: not known
  std::span<const float> outcomes, weights;  ///< one a row: a code, or a number in deviations of the training part
  const BoostingSettings* boosting;          ///< nullptr: a forest
  const BaggingSettings& bagging;
  std::uint64_t seed;
};

}  // namespace fovea::study
