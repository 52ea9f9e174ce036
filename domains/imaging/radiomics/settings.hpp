#pragma once
/// What is done to an image before its features are computed (manual, 2), and the initiative's configurations.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

enum class Interpolation { nearest, linear, cubic };

enum class BinKind { as_is, width, number };

/// Bins of a fixed width from the lower end of the range (without a range: from the lowest intensity in the mask), or a
/// fixed number of bins from the lowest to the highest intensity in the mask.
struct Bins {
  BinKind kind = BinKind::width;
  double width = 25;
  std::int32_t number = 32;
};

struct Settings {
  std::vector<double> spacing;  ///< mm, x y z; 0: as in the image; empty: all three
  Interpolation image = Interpolation::linear, mask = Interpolation::linear;
  bool round = false;                       ///< interpolated intensities to whole numbers, halves upwards
  std::vector<double> range;                ///< lowest and highest intensity; empty: all
  double outlier_sd = 0;                    ///< further from the mean is left out; 0: nothing
  Bins levels{};                            ///< of the textures and the histogram
  Bins volume{BinKind::number, 2.5, 1000};  ///< of the intensity-volume histogram
  std::vector<std::string> textures{"2D", "2_5D", "3D"};

  Dimensions dimensions() const;
};

const Keys<Settings>& settings_keys();

/// Rules between the keys; complains at the key's place.
void check_settings(const Settings& settings, const Complain& complain);

/// none: the image and its whole numbers as they are. ibsi_a .. ibsi_e: the configurations A to E of the manual (its
/// table 3.1 ff.; chest CT):
///        new spacing mm   intensities    rounded  range HU      3 sd   levels     volume histogram  textures
///   A    -                -              -        -500 .. 400   -      25 HU      as is             2D, 2_5D
///   B    2 x 2 in plane   bilinear       yes      -500 .. 400   -      32 bins    as is             2D, 2_5D
///   C    2 x 2 x 2        trilinear      yes      -1000 .. 400  -      25 HU      2.5 HU            3D
///   D    2 x 2 x 2        trilinear      yes      -             yes    32 bins    as is             3D
///   E    2 x 2 x 2        cubic spline   yes      -1000 .. 400  yes    32 bins    1000 bins         3D
std::optional<Settings> preset(std::string_view name);
std::vector<std::string> preset_names();

}  // namespace fovea::imaging::radiomics
