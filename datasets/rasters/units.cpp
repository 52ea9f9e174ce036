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

constexpr float kBeyondAll = 1e19F;  // 1e20, 9.97e36 and -3.4e38 fill; nothing measured is so large
// Medians over both polarisations, of which VH is some 6 dB lower than VV: cities do not reach them.
constexpr float kMedianDb = -3, kMedianPower = 0.5F;
// Of the brightest per cent of the brightest band: reflectances of 0.07 at least on land, of 0.03 on water, which is
// dark in the infrared. Bytes (255), per cent (100) and most 1000 x reflectance lie below 700.
constexpr float kDarkest = 0.02F, kDim = 700, kWater = 300;
constexpr double kMostOutside = 0.01;   // of the values of a unit: speckle of edges; more is another unit
constexpr double kFillRounding = 1e-5;  // of a scaled number in float, which rounds to 6e-8 of its summands

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
  const auto is_power = [](std::vector<float> band) { return !band.empty() && quantile_of(band, .01) >= 0; };
  const auto powers = std::count_if(bands.begin(), bands.end(), is_power);
  if (powers != 0 && powers != std::ssize(bands)) return std::nullopt;  // one band in dB, another in power
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

template <>
std::optional<double> fitting_scale<SarUnit>(const BandValues& bands, const std::vector<std::string>&) {
  for (const double scale : {0.1, 0.01, 0.001})
    if (sar_unit(scaled(bands, scale)) == SarUnit::db) return scale;
  return std::nullopt;
}

template <>
std::optional<double> fitting_scale<OpticalUnit>(const BandValues& bands, const std::vector<std::string>& names) {
  const float high = usual_range(bands).high;
  for (const double scale : {10., 100.})  // 1000 x reflectance; per cent; bytes stretched to 255 may be anything
    if ((scale == 100 ? high <= 150 : high > 255) && optical_unit(scaled(bands, scale), names) == OpticalUnit::numbers)
      return scale;
  return std::nullopt;
}

bool are_enough(const BandValues& bands) {
  return std::all_of(bands.begin(), bands.end(), [](const auto& band) { return band.size() >= kFewest; });
}

template <typename Unit>
std::string no_unit_text(const std::string& path, const BandValues& bands, std::optional<double> scale) {
  const PossibleRange usual = usual_range(bands);
  constexpr bool kRadar = std::is_same_v<Unit, SarUnit>;
  return concat(path, ": its unit is not determined by its values: 98 of 100 of those examined lie from ",
                rounded_text(static_cast<double>(usual.low)), " to ", rounded_text(static_cast<double>(usual.high)),
                kRadar ? ", but of db from -100 to 60, half below -3, and of linear power from 0 to 20, half up to 0.5"
                       : ", but those of the brightest band of reflectance reach 0.02 to 2, and of 10000 x reflectance "
                         "700 at least (300 over water)",
                scale ? concat("; times ", *scale, " they would fit ", kRadar ? "db" : "numbers", ": if so, set the ",
                               "scale (gdal_edit.py -scale ", *scale, ") or multiply them")
                      : std::string());
}

template std::string no_unit_text<SarUnit>(const std::string&, const BandValues&, std::optional<double>);
template std::string no_unit_text<OpticalUnit>(const std::string&, const BandValues&, std::optional<double>);

PossibleRange usual_range(const BandValues& bands) {
  std::vector<float> values = pooled(bands);
  if (values.empty()) return {0, 0};
  const float low = quantile_of(values, .01);
  return {low, quantile_of(values, .99)};
}

template <>
std::optional<SarUnit> unit_of<SarUnit>(const BandValues& bands, const std::vector<std::string>&) {
  return sar_unit(bands);
}
template <>
std::optional<OpticalUnit> unit_of<OpticalUnit>(const BandValues& bands, const std::vector<std::string>& names) {
  return optical_unit(bands, names);
}

template <typename Unit>
void check_possible(const std::string& path, const BandValues& values, Unit unit) {
  const PossibleRange range = possible_range(unit);
  std::vector<float> all = pooled(values);
  const auto count = static_cast<double>(all.size());
  std::erase_if(all, [&](float value) { return value >= range.low && value <= range.high; });
  const double outside = static_cast<double>(all.size()) / std::max(count, 1.0);
  if (outside <= kMostOutside) return;
  const float middle = quantile_of(all, .5);
  const bool one_number = 2 * std::count(all.begin(), all.end(), middle) > std::ssize(all);
  throw DataError(concat(path, ": ", rounded_text(100 * outside, 2), " % of the values examined lie outside ",
                         range.low, " to ", range.high, ", which ", name_of(unit), " cannot be; ",
                         one_number ? concat("most of them are ", rounded_text(static_cast<double>(middle)),
                                             ": name it as no data (gdal_edit.py -a_nodata), or convert the values.")
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
