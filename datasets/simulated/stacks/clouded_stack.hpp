#pragma once
/// A made series of optical images with clouds, and a radar that sees what grows below them: fields of a few crops,
/// whose courses over the year are known, so what lies behind each cloud is known, too.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated::stacks {

inline constexpr Index kStackCrops = 4;

struct CloudedStackPlan {
  Index rows = 48, columns = 48;
  Index field = 8;             ///< side of the square fields, pixels
  Index dates = 36;            ///< optical ones, every 10 days from day 0
  double shift_days = 8;       ///< deviation of a field's sowing from that of its crop
  double noise = 0.01;         ///< deviation of a reflectance, each value by itself
  double clear_dates = 0.4;    ///< share of the dates without a cloud
  double covered_dates = 0.2;  ///< share of those with nothing but clouds; the others are cloudy in part
  double looks = 16;           ///< of the radar, every 6 days
};

/// Pixels row by row, images by date.
struct CloudedStack {
  std::vector<std::string> bands;                ///< B02, B03, B04, B08, B11
  std::vector<double> days;                      ///< of the optical dates
  std::vector<Matrix<float>> ground;             ///< reflectances [pixels x bands] without noise and clouds
  std::vector<Matrix<float>> images;             ///< with both
  std::vector<std::vector<std::uint8_t>> clear;  ///< 1 where there is no cloud
  std::vector<double> s1_days;
  std::vector<Matrix<float>> s1;  ///< linear intensity of VV and VH
  std::vector<Index> crops;       ///< of each pixel: 0 ... kStackCrops - 1
};

/// With v(t) = 1 / (1 + e^(-(t - up) / 8)) - 1 / (1 + e^(-(t - down) / 8)), how green a field is, a band is soil + v
/// (leaf
/// - soil) + normal noise, and a backscatter, dB, bare + v (grown - bare), its intensity times Gamma(looks) / looks. A
/// cloud is bright (.6). A function of (plan, random). Throws ArgumentError.
CloudedStack clouded_stack(const CloudedStackPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated::stacks
