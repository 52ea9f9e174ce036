#pragma once
/// A figure that any kind can draw: it has every part that one of them asks for. And pictures worth looking at.

#include <string>

#include "fovea/core/data/results.hpp"

namespace fovea {

struct KindSample {
  std::size_t seeds = 2, positions = 3, rows = 6, columns = 8;
  double missing = 0;  ///< share of the values that are NaN
};

/// One figure of the kind over `value`: (seed, slider, row, column), whole numbers from 0 to 3.
Results sample_of(const std::string& kind, const KindSample& sample);

/// A made landscape as a satellite sees it: colours, its classes, and two guesses at them; clouds hide a part.
Results sample_images(std::size_t size);

}  // namespace fovea
