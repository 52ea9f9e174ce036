#pragma once
/// Pixels of a stack as cases: a token for each sensor and window of time that shows the pixel.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/fusion/pixels/composites.hpp"

namespace fovea::fusion::pixels {

/// What is tested: squares of the map, with a guard between them and what is learned.
struct BlockRules {
  Index side = 8, guard = 1;  ///< pixels
  double validation = 0.15;   ///< share of the other squares that choose and calibrate
};

/// Part of each pixel. Squares (r, c) are tested where (r + 2 c) % 3 == 0; the guard is what lies within `guard` pixels
/// of a tested square and is not in one. The other squares are quartered, and every k-th quarter is for validation.
enum class Part : std::uint8_t { training, validation, test, guard };
std::vector<Part> block_parts(Index rows, Index columns, const BlockRules& rules);
/// The same with a map of 0 (to learn), 1 (to test) and anything else (neither), such as a file's `split`.
std::vector<Part> given_parts(const Matrix<std::int32_t>& map, const BlockRules& rules);

struct PixelRules {
  std::vector<std::string> bands;    ///< of S2, those that a model wants
  std::vector<std::string> classes;  ///< labels in the order of the target
  std::vector<Index> means;          ///< odd sides of squares whose means a token has besides
  BlockRules blocks;
};

/// A case a pixel, row by row, in blocks. Its id is "row_column" from 0; its group is its square. A pixel whose label
/// is not a class, or which lies in a guard, has no target (NaN). labels, parts: one a pixel, or none.
std::unique_ptr<study::CaseReader> pixel_reader(Composites stack, std::vector<std::int64_t> labels,
                                                std::vector<Part> parts, PixelRules rules);

}  // namespace fovea::fusion::pixels
