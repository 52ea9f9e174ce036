#include "fovea/datasets/rasters/raster.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr std::uint16_t kRasterKind = 1025, kGeographic = 2048, kProjected = 3072, kOwn = 32767;
constexpr std::array<std::uint16_t, 3> kNameKeys{1026, 2049, 3073};

/// The values of all keys that say what the system is.
std::map<std::uint16_t, std::vector<double>> meaning(const Georeference& place) {
  std::map<std::uint16_t, std::vector<double>> keys;
  const auto& list = place.geo_keys;
  for (std::size_t i = 4; i + 3 < list.size(); i += 4) {
    const std::uint16_t key = list[i], where = list[i + 1], count = list[i + 2], value = list[i + 3];
    if (key == kRasterKind || std::find(kNameKeys.begin(), kNameKeys.end(), key) != kNameKeys.end()) continue;
    std::vector<double>& numbers = keys[key];
    if (where == 0) numbers.push_back(value);
    for (std::size_t n = 0; where == 34736 && n < count; ++n)
      if (value + n < place.geo_doubles.size()) numbers.push_back(place.geo_doubles[value + n]);
    for (std::size_t n = 0; where == 34737 && n < count; ++n)
      if (value + n < place.geo_text.size()) numbers.push_back(place.geo_text[value + n]);
  }
  return keys;
}

/// The EPSG code that names the system: of the projection, or else of the geographic system; 0 without one.
std::uint16_t code_of(const Georeference& place) {
  const auto projected = place.key(kProjected), geographic = place.key(kGeographic);
  if (projected) return *projected == kOwn ? std::uint16_t{0} : *projected;
  return geographic && *geographic != kOwn ? *geographic : std::uint16_t{0};
}

}  // namespace

std::size_t bytes_of(SampleType type) {
  constexpr std::array<std::size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

const char* name_of(SampleType type) {
  constexpr std::array kNames{"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"};
  return kNames[static_cast<std::size_t>(type)];
}

Index RasterFacts::value_bands() const {
  return std::count_if(bands.begin(), bands.end(), [](const BandFacts& band) { return !band.is_alpha; });
}

std::optional<std::uint16_t> Georeference::key(std::uint16_t number) const {
  for (std::size_t i = 4; i + 3 < geo_keys.size(); i += 4)
    if (geo_keys[i] == number && geo_keys[i + 1] == 0) return geo_keys[i + 3];
  return std::nullopt;
}

std::string Georeference::system() const {
  if (const std::uint16_t code = code_of(*this)) return concat("EPSG:", code);
  return geo_keys.size() > 4 ? "its own coordinate system" : "no coordinate system";
}

std::optional<GridMap> grid_map(const Georeference& place) {
  GridMap map;
  if (place.matrix.size() == 16) {
    const auto& m = place.matrix;
    map = {m[0], m[1], m[3], m[4], m[5], m[7]};
  } else if (place.pixel_scale.size() >= 2 && place.tie_points.size() >= 6) {
    const auto& tie = place.tie_points;
    const double wide = place.pixel_scale[0], high = place.pixel_scale[1];
    map = {wide, 0, tie[3] - tie[0] * wide, 0, -high, tie[4] + tie[1] * high};
  } else {
    return std::nullopt;
  }
  if (place.key(kRasterKind) == 2) {
    map.x0 -= (map.a + map.b) / 2;
    map.y0 -= (map.d + map.e) / 2;
  }
  return map;
}

double grid_distance(const RasterFacts& first, const RasterFacts& second, double factor) {
  const auto one = grid_map(first.place), two = grid_map(second.place);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (!one || !two) return nothing;
  const double area = one->a * one->e - one->b * one->d;
  if (!(std::abs(area) > 0)) return nothing;
  double most = 0;
  for (const double row : {0., static_cast<double>(first.rows)})
    for (const double column : {0., static_cast<double>(first.columns)}) {
      const double c = column / factor, r = row / factor;
      const double dx = two->a * c + two->b * r + two->x0 - (one->a * column + one->b * row + one->x0);
      const double dy = two->d * c + two->e * r + two->y0 - (one->d * column + one->e * row + one->y0);
      const double columns = (one->e * dx - one->b * dy) / area, rows = (one->a * dy - one->d * dx) / area;
      const double distance = std::max(std::abs(columns), std::abs(rows));
      if (!(distance <= most)) most = distance;  // NaN stays
      if (std::isnan(most)) return nothing;
    }
  return most;
}

bool same_system(const Georeference& first, const Georeference& second) {
  const std::uint16_t one = code_of(first), two = code_of(second);
  if (one != 0 && two != 0) return one == two;
  return meaning(first) == meaning(second);
}

std::optional<double> number_in(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  text = text::trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end == text.data() + text.size() && !text.empty();
  if (error == std::errc::result_out_of_range && whole) return text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
  if (error != std::errc{} || !whole) return std::nullopt;
  return number;
}

}  // namespace fovea::datasets::rasters
