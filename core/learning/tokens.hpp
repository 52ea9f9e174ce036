#pragma once
/// What layers may ask about the rows of a pass.

#include <cstdint>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// Packed sets: set b has rows [offsets[b], offsets[b + 1]). What is not needed stays empty.
struct Tokens {
  std::vector<Index> offsets;
  std::vector<double> times;    ///< N: time stamps, in any unit
  Matrix<double> coordinates;   ///< N x D
  std::vector<double> periods;  ///< D: the length after which an axis of them repeats itself, 0: it does not; or none
  std::vector<double> weights;  ///< N, >= 0: how many equal keys a token stands for
  std::vector<std::uint8_t> valid;  ///< N: 0 where a token is no key, as a cloudy pixel; nobody attends to it
  std::vector<Index>
      widths;              ///< columns of the sets' grids, rows one after the other: one for all sets, or one for each
  Index class_tokens = 0;  ///< so many rows at the start of each set stand for the whole of it (ClassToken)

  Index count() const { return offsets.empty() ? 0 : offsets.back(); }
  Index sets() const { return offsets.empty() ? 0 : static_cast<Index>(offsets.size()) - 1; }
};

}  // namespace fovea::learning
