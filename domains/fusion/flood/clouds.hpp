#pragma once
/// Clouds made for scenes without them: where they lie, and what S2 shows where no mask announces them.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/rasters/scene.hpp"

namespace fovea::fusion::flood {

/// A field of mean 0 and deviation 1, one number a pixel: noise smoothed three times by squares of this side, pixels.
std::vector<float> smooth_field(Index rows, Index columns, Index side, const Random& random);

/// 1 in the share of the pixels where the field is largest, to a pixel.
std::vector<std::uint8_t> largest(const std::vector<float>& field, double share);

/// What S2 shows where `cloudy` is 1 and it has data: (1 - a) ground + a cloud (1 + .02 z), z ~ N(0, 1) of each pixel
/// and band, the opacity a from kLeastOpacity to 1 and the brightness of the cloud from kDarkestCloud to
/// kBrightestCloud in visible light and the near infrared, both smooth over `side` pixels. Clouds are darker in the
/// bands of water vapour (B09), of cirrus (B10), and of the short-wave infrared (B11, B12), by factors that are drawn
/// once. bands: of S2 as the window has them.
inline constexpr float kLeastOpacity = 0.95F, kDarkestCloud = 0.35F, kBrightestCloud = 0.85F;
void paint_clouds(const std::vector<std::string>& bands, const std::vector<std::uint8_t>& cloudy, Index side,
                  const Random& random, datasets::rasters::SceneWindow& shown);

}  // namespace fovea::fusion::flood
