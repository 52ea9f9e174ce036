#include "fovea/datasets/rasters/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fovea::datasets::rasters {

namespace {

constexpr std::size_t kFewest = 16;  // fewer values say nothing

float quantile_of(std::vector<float>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

}  // namespace

const char* name_of(SarUnit unit) { return unit == SarUnit::db ? "db" : "linear"; }

const char* name_of(OpticalUnit unit) {
  constexpr std::array kNames{"numbers", "reflectance", "offset"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::optional<SarUnit> sar_unit(std::vector<float> values) {
  if (values.size() < kFewest) return std::nullopt;
  const float least = quantile_of(values, 0), middle = quantile_of(values, .5), high = quantile_of(values, .99);
  if (middle < 0 && least >= -100) return SarUnit::db;
  if (least >= 0 && high <= 20) return SarUnit::linear;
  return std::nullopt;
}

std::optional<OpticalUnit> optical_unit(std::vector<std::vector<float>> bands) {
  float darkest = std::numeric_limits<float>::infinity(), highest = -darkest;
  for (std::vector<float>& band : bands) {
    if (band.size() < kFewest) return std::nullopt;
    darkest = std::min(darkest, quantile_of(band, .001)), highest = std::max(highest, quantile_of(band, .99));
  }
  if (bands.empty()) return std::nullopt;
  if (highest <= 2) return OpticalUnit::reflectance;
  return darkest >= 900 ? OpticalUnit::offset_numbers : OpticalUnit::numbers;
}

float converted(float value, SarUnit from, SarUnit to) {
  if (from == to) return value;
  if (to == SarUnit::linear) return std::pow(10.F, value / 10);
  return value > 0 ? 10 * std::log10(value) : std::numeric_limits<float>::quiet_NaN();
}

float converted(float value, OpticalUnit from, OpticalUnit to) {
  if (from == to) return value;
  const float numbers = from == OpticalUnit::reflectance      ? value * 10000
                        : from == OpticalUnit::offset_numbers ? value - 1000
                                                              : value;
  return to == OpticalUnit::reflectance      ? numbers / 10000
         : to == OpticalUnit::offset_numbers ? numbers + 1000
                                             : numbers;
}

}  // namespace fovea::datasets::rasters
