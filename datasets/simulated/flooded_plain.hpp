#pragma once
/// A made river plain in flood, seen by a radar and by an optical sensor, pixel on pixel, in which each is misled by
/// what the other tells apart.
///
/// Radar: wind roughens water until it scatters in VV as bare soil does, and smooth sand reflects the pulse away as
/// calm water does. Optics: clouds hide the ground; where they are thin they veil it, and in their shadows land is as
/// dark as water, of which no mask tells.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

/// What lies on a pixel, by number; the first two are water.
inline const std::vector<std::string> kPlainGrounds{"calm water", "rough water", "crops",
                                                    "forest",     "bare soil",   "smooth sand"};
inline constexpr std::uint8_t kWaterGrounds = 2;

struct FloodedPlainPlan {
  Index rows = 96, columns = 96;  ///< pixels of 10 m, >= 1
  double looks = 4;               ///< >= 1, of the speckle: an intensity is its mean times Gamma(looks) / looks
  double cloud_share = 0.15;      ///< of the sky, in [0, 0.25]: opaque clouds, and thrice as much of thin ones
};

/// Pixels row by row.
struct FloodedPlain {
  std::vector<std::uint8_t> ground;                  ///< kPlainGrounds
  Matrix<double> backscatter;                        ///< pixels x 2, linear intensity of VV and VH
  Matrix<double> reflectance;                        ///< pixels x 4: blue, green, red, near infrared; NaN below clouds
  std::vector<std::uint8_t> cloudy, veiled, shaded;  ///< 1 below opaque clouds, thin ones, in the shadow of opaque ones
};

/// Ground. A river meanders from the first row to the last; the height of the plain rises away from it, with smooth
/// hills. A fifth to two fifths of the pixels, the lowest, are water, rough where a smooth field of wind is strong and
/// muddy by a smooth share. Sand lies on parts of the banks, forest on the highest fifth of the pixels, and between
/// them parcels of crops or bare soil, each with a brightness, a colour and a backscatter of its own.
///
/// Sensors. Backscatter: mean of the ground and a deviation of its parcel or of the waves (decibels). Reflectance: mean
/// of the ground times factors of its parcel. A pixel mixes its neighbours' signals in (weights 1/6, 2/3, 1/6 along
/// rows and columns); then comes speckle, and of the reflectance noise of 6 % and 0.003. Opaque clouds lie
/// where a smooth field is largest. Around them thin clouds mix their own light, of reflectance 0.5, with that of the
/// ground, the more the nearer, up to 85 %. In the shadows of opaque ones, displaced by 10 rows and 16 columns, only
/// diffuse light is left: 40, 33, 25 and 15 % of the bands. Brightness and tint of both vary smoothly. No
/// reflectance is below 0.0001.
///
/// With the same random numbers a scene without clouds has the same ground, speckle and noise as one with clouds. A
/// function of (plan, random), pixel by pixel: the same at any number of threads. Throws ArgumentError.
FloodedPlain flooded_plain(const FloodedPlainPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated
