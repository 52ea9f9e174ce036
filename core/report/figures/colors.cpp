#include "fovea/core/report/figures/colors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

/// Lightness, chroma and hue (degrees) in OKLab's polar form.
struct Polar {
  double lightness, chroma, hue;
};

struct Linear {
  double red, green, blue;
  bool displayable() const { return std::min({red, green, blue}) >= -1e-4 && std::max({red, green, blue}) <= 1.0001; }
};

/// OKLab -> linear sRGB, the published matrices.
Linear to_linear(const Polar& polar) {
  const double angle = polar.hue * std::numbers::pi / 180;
  const double a = polar.chroma * std::cos(angle);
  const double b = polar.chroma * std::sin(angle);
  const double l = std::pow(polar.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(polar.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(polar.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint8_t encoded(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double gamma = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * gamma));
}

/// A colour that the screen cannot show loses chroma, never lightness.
Color displayable(Polar polar) {
  while (polar.chroma > 0 && !to_linear(polar).displayable()) polar.chroma -= 0.002;
  const Linear linear = to_linear({polar.lightness, std::max(polar.chroma, 0.0), polar.hue});
  return {encoded(linear.red), encoded(linear.green), encoded(linear.blue)};
}

Polar between(std::span<const Polar> stops, double fraction) {
  const double place = fraction * static_cast<double>(stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double t = place - static_cast<double>(i);
  const auto mix = [t](double from, double to) { return from + t * (to - from); };
  return {mix(stops[i].lightness, stops[i + 1].lightness), mix(stops[i].chroma, stops[i + 1].chroma),
          mix(stops[i].hue, stops[i + 1].hue)};
}

ColorMap map_through(std::span<const Polar> stops) {
  ColorMap map;
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = displayable(between(stops, static_cast<double>(i) / 255));
  return map;
}

}  // namespace

const ColorMap& sequential_map() {
  static const ColorMap map = [] {
    constexpr std::array<Polar, 5> stops{
        {{0.20, 0.09, 300}, {0.385, 0.14, 275}, {0.57, 0.13, 225}, {0.755, 0.16, 160}, {0.94, 0.17, 105}}};
    return map_through(stops);
  }();
  return map;
}

const ColorMap& diverging_map() {
  static const ColorMap map = [] {
    // Two halves, each at one hue, meet in a grey, so that the hue does not wander through others in the middle.
    constexpr std::array<Polar, 3> cold{{{0.42, 0.14, 255}, {0.68, 0.11, 250}, {0.93, 0.006, 250}}};
    constexpr std::array<Polar, 3> warm{{{0.93, 0.006, 55}, {0.68, 0.14, 52}, {0.42, 0.14, 40}}};
    ColorMap both;
    for (std::size_t i = 0; i < 128; ++i) {
      both[i] = displayable(between(cold, static_cast<double>(i) / 127));
      both[128 + i] = displayable(between(warm, static_cast<double>(i) / 127));
    }
    return both;
  }();
  return map;
}

Color color_at(const ColorMap& map, double fraction) {
  if (std::isnan(fraction)) return {0xBB, 0xBB, 0xBB};
  return map[std::lround(255 * std::clamp(fraction, 0.0, 1.0))];
}

std::string hex(Color color) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned part : {color.red, color.green, color.blue}) {
    text += kDigits[part / 16];
    text += kDigits[part % 16];
  }
  return text;
}

Color class_color(std::size_t i) {
  constexpr std::array<double, 3> kLightness{0.66, 0.82, 0.5};
  constexpr double kGoldenAngle = 137.508;  // no two of many hues come close
  return displayable({kLightness[i % kLightness.size()], 0.125, 250 + kGoldenAngle * static_cast<double>(i % 360)});
}

std::optional<Color> color_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  std::array<std::uint8_t, 3> parts{};
  for (std::size_t i = 0; i < 6; ++i) {
    const char c = text[i + 1];
    const std::size_t digit = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == std::string_view::npos) return std::nullopt;
    parts[i / 2] = static_cast<std::uint8_t>(parts[i / 2] * 16 + digit);
  }
  return Color{parts[0], parts[1], parts[2]};
}

std::string_view line_color(std::size_t i) { return kLineColors[i % kLineColors.size()].light; }

std::string_view line_dashes(std::size_t i) { return kLineDashes[i / kApartColors % kLineDashes.size()]; }

std::string theme_css() {
  std::string light, dark;
  const auto add = [&](std::string_view name, const ThemeColor& color) {
    light += concat("  --", name, ": ", color.light, ";\n");
    dark += concat("  --", name, ": ", color.dark, ";\n");
  };
  for (const ThemeColor& color : kThemeColors) add(color.name, color);
  for (std::size_t i = 0; i < kLineColors.size(); ++i) add(concat("c", i), kLineColors[i]);
  return concat(":root {\n", light, "}\n@media screen {\n:root[data-theme=\"dark\"] {\n", dark, "}\n}\n");
}

}  // namespace fovea
