#include "fovea/datasets/rasters/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/band_names.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr std::size_t kFewest = 16;                   // fewer values say nothing
constexpr float kBeyondAll = 1e19F;                   // 1e20, 9.97e36 and -3.4e38 fill; nothing measured is so large
constexpr float kMedianDb = -3, kMedianPower = 0.5F;  // of both polarisations, which cities do not reach
constexpr float kDarkest = 0.02F, kDim = 700, kWater = 300;  // of the brightest per cent of the brightest band
constexpr double kMostOutside = 0.01;   // of the values of a unit: speckle of edges; more is another unit
constexpr double kFillRounding = 1e-5;  // of a scaled number in float

float quantile_of(std::vector<float>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

std::vector<float> pooled(const BandValues& bands) {
  std::vector<float> all;
  for (const std::vector<float>& band : bands) all.insert(all.end(), band.begin(), band.end());
  return all;
}

bool fills_often(double stored) {
  for (const int bits : {7, 8, 15, 16, 31, 32})
    for (const double end : {std::ldexp(1.0, bits), std::ldexp(1.0, bits) - 1})
      if (std::abs(std::abs(stored) - end) <= kFillRounding * end) return true;
  for (double nines = 9; nines < 1e10; nines = 10 * nines + 9)
    if (std::abs(std::abs(stored) - nines) <= kFillRounding * nines) return true;
  return std::abs(stored + 1) <= kFillRounding;
}

/// Distinct numbers, ascending, and how often each is there.
std::vector<Fill> distinct_numbers(std::vector<float> all) {
  std::sort(all.begin(), all.end());
  std::vector<Fill> distinct;
  for (const float number : all) {
    if (distinct.empty() || distinct.back().number != number) distinct.push_back({number, 0});
    ++distinct.back().count;
  }
  return distinct;
}

/// The number that most of what lies outside of a range has, if it is one.
std::optional<float> number_outside(const BandValues& values, PossibleRange range) {
  std::vector<float> outside;
  for (const std::vector<float>& band : values)
    for (const float value : band)
      if (!(value >= range.low && value <= range.high)) outside.push_back(value);
  if (outside.empty()) return std::nullopt;
  std::sort(outside.begin(), outside.end());
  const float middle = outside[outside.size() / 2];
  const auto [first, last] = std::equal_range(outside.begin(), outside.end(), middle);
  return 2 * (last - first) > std::ssize(outside) ? std::optional(middle) : std::nullopt;
}

BandValues scaled(BandValues bands, double scale) {
  for (std::vector<float>& band : bands)
    for (float& value : band) value = static_cast<float>(scale * static_cast<double>(value));
  return bands;
}

}  // namespace

const char* name_of(SarUnit unit) { return unit == SarUnit::db ? "db" : "linear"; }

const char* name_of(OpticalUnit unit) {
  constexpr std::array kNames{"numbers", "reflectance", "offset"};
  return kNames[static_cast<std::size_t>(unit)];
}

PossibleRange possible_range(SarUnit unit) {
  return unit == SarUnit::db ? PossibleRange{-100, 60} : PossibleRange{0, 1e6F};
}

PossibleRange possible_range(OpticalUnit unit) {
  return unit == OpticalUnit::reflectance ? PossibleRange{-0.2F, 3.2766F} : PossibleRange{-2000, 32766};
}

std::vector<Fill> take_fills(BandValues& bands, double scale, double offset) {
  std::vector<Fill> distinct = distinct_numbers(pooled(bands)), fills;
  std::size_t first = 0, end = distinct.size();
  const auto take = [&](std::size_t at) { fills.push_back(distinct[at]); };
  while (first < end && distinct[first].number <= -kBeyondAll) take(first++);
  while (first < end && distinct[end - 1].number >= kBeyondAll) take(--end);
  const auto is_fill = [&](std::size_t at, float next, float other_end) {
    const float gap = std::abs(next - distinct[at].number), range = std::abs(other_end - next);
    return distinct[at].count >= 2 && gap > range &&
           fills_often((static_cast<double>(distinct[at].number) - offset) / scale);
  };
  for (bool found = true; found && end - first > kFewest;) {
    found = false;
    if (is_fill(first, distinct[first + 1].number, distinct[end - 1].number)) take(first++), found = true;
    if (end - first > kFewest && is_fill(end - 1, distinct[end - 2].number, distinct[first].number))
      take(--end), found = true;
  }
  for (std::vector<float>& band : bands)
    std::erase_if(band, [&](float value) {
      return std::any_of(fills.begin(), fills.end(), [&](const Fill& fill) { return fill.number == value; });
    });
  return fills;
}

std::optional<SarUnit> sar_unit(const BandValues& bands) {
  std::vector<float> values = pooled(bands);
  if (values.size() < kFewest) return std::nullopt;
  const float low = quantile_of(values, .01), middle = quantile_of(values, .5), high = quantile_of(values, .99);
  if (middle < kMedianDb && low >= possible_range(SarUnit::db).low && high <= possible_range(SarUnit::db).high)
    return SarUnit::db;
  if (low >= 0 && high <= 20 && middle <= kMedianPower) return SarUnit::linear;
  return std::nullopt;
}

std::optional<OpticalUnit> optical_unit(const BandValues& bands, const std::vector<std::string>& names) {
  float darkest = std::numeric_limits<float>::infinity(), highest = -darkest, green = -darkest, infrared = darkest;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    std::vector<float> band = bands[b];
    if (band.size() < kFewest) return std::nullopt;
    const float bright = quantile_of(band, .99);
    darkest = std::min(darkest, quantile_of(band, .001)), highest = std::max(highest, bright);
    const std::string name = b < names.size() ? band_called(names[b]) : "";
    if (name == "B3") green = bright;
    if (name == "B8") infrared = bright;
  }
  if (bands.empty() || highest < kDarkest) return std::nullopt;
  if (highest <= 2) return OpticalUnit::reflectance;
  if (highest < (infrared < green ? kWater : kDim)) return std::nullopt;
  return darkest >= 900 ? OpticalUnit::offset_numbers : OpticalUnit::numbers;
}

std::optional<double> scale_to_db(const BandValues& bands) {
  for (const double scale : {0.1, 0.01, 0.001})
    if (sar_unit(scaled(bands, scale)) == SarUnit::db) return scale;
  return std::nullopt;
}

std::optional<double> scale_to_numbers(const BandValues& bands, const std::vector<std::string>& names) {
  const float high = usual_range(bands).high;
  for (const double scale : {10., 100.})  // 1000 x reflectance; per cent; bytes stretched to 255 may be anything
    if ((scale == 100 ? high <= 150 : high > 255) && optical_unit(scaled(bands, scale), names) == OpticalUnit::numbers)
      return scale;
  return std::nullopt;
}

double share_outside(const BandValues& bands, PossibleRange range) {
  Index count = 0, outside = 0;
  for (const std::vector<float>& band : bands)
    for (const float value : band) ++count, outside += value >= range.low && value <= range.high ? 0 : 1;
  return count > 0 ? static_cast<double>(outside) / static_cast<double>(count) : 0;
}

PossibleRange usual_range(const BandValues& bands) {
  std::vector<float> values = pooled(bands);
  if (values.empty()) return {0, 0};
  const float low = quantile_of(values, .01);
  return {low, quantile_of(values, .99)};
}

template <typename Unit>
void check_possible(const std::string& path, const BandValues& values, Unit unit) {
  const PossibleRange range = possible_range(unit);
  const double outside = share_outside(values, range);
  if (outside <= kMostOutside) return;
  const std::optional<float> number = number_outside(values, range);
  throw DataError(concat(path, ": ", rounded_text(100 * outside, 2), " % of its values lie outside ", range.low, " to ",
                         range.high, ", which ", name_of(unit), " cannot be; ",
                         number ? concat("most of them are ", rounded_text(static_cast<double>(*number)),
                                         ": name it as no data ", "(gdal_edit.py -a_nodata), or convert the values.")
                                : std::string("convert them, or set their scale (gdal_edit.py -scale).")));
}

template void check_possible(const std::string&, const BandValues&, SarUnit);
template void check_possible(const std::string&, const BandValues&, OpticalUnit);

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
