#pragma once
/// What a model of pixels sees of a scene: the numbers of each sensor at the pixel, and their means over squares around
/// it. The same bits for any window that holds the pixel and its margin.

#include <string>
#include <utility>
#include <vector>

#include "fovea/datasets/rasters/scene.hpp"

namespace fovea::fusion::flood {

/// Differences of two bands over their sum, such as (B03 - B11) / (B03 + B11).
struct BandDifference {
  std::string name;
  Index first = 0, second = 0;
};

struct ColumnPlan {
  std::vector<std::string> s2_bands;
  std::vector<Index> s1_sides, s2_sides;  ///< odd sides of the squares, pixels, ascending; at least 3

  std::vector<BandDifference> differences() const;  ///< those that there are bands for
  Index s1_channels() const { return 3; }           ///< VV, VH, VH - VV
  Index s2_channels() const;                        ///< bands and differences
  Index s1_columns() const { return s1_channels() * (1 + std::ssize(s1_sides)); }
  Index s2_columns() const { return s2_channels() * (1 + std::ssize(s2_sides)); }
  Index columns() const { return s1_columns() + s2_columns(); }
  Index margin() const;                                            ///< pixels that must be known on each side
  std::vector<std::pair<std::string, std::string>> names() const;  ///< and units of the columns, those of S1 first
};

/// Columns of the pixels of a window without its margin, row after row.
struct PixelColumns {
  Index rows = 0, columns = 0;
  Matrix<float> s1, s2;                          ///< [columns x pixels]; NaN where the sensor shows nothing
  std::vector<std::uint8_t> s1_valid, s2_valid;  ///< one a pixel
};

/// shown: with plan.margin() pixels on each side, S1 in dB, S2 in numbers; beyond the scene nothing is valid. Means are
/// over the valid pixels of a square.
PixelColumns pixel_columns(const ColumnPlan& plan, const datasets::rasters::SceneWindow& shown);

/// means[i]: of the valid values in the square of that side around each pixel of the inner part; sums in an order that
/// depends on the square alone. values, valid (0 or 1): rows x columns with the margin on each side.
std::vector<std::vector<float>> square_means(const std::vector<float>& values, const std::vector<float>& valid,
                                             Index rows, Index columns, Index margin, const std::vector<Index>& sides);

}  // namespace fovea::fusion::flood
