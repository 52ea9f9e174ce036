#pragma once
/// Colours: those of the page and of saved figures, two maps whose lightness changes evenly (made in the OKLab space,
/// Ottosson 2020) and a set for lines that stays distinct for colour-blind eyes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// A colour by its name on the page, var(--NAME), in the light and in the dark. Saved figures are drawn in the light.
struct ThemeColor {
  std::string_view name, light, dark;
};

inline constexpr std::array kThemeColors{
    ThemeColor{"paper", "#f5f6f8", "#10141a"},     ThemeColor{"panel", "#ffffff", "#181e26"},
    ThemeColor{"ink", "#1c2430", "#e7ebf1"},       ThemeColor{"quiet", "#5a6572", "#9da9b7"},
    ThemeColor{"faint", "#e3e7ec", "#2a323d"},     ThemeColor{"edge", "#c3cad3", "#465160"},
    ThemeColor{"accent", "#0b6cb0", "#62b4f4"},    ThemeColor{"good", "#0a7a52", "#4fd39b"},
    ThemeColor{"bad", "#b3261e", "#ff8d84"},       ThemeColor{"good-paper", "#e4f4ec", "#14352a"},
    ThemeColor{"bad-paper", "#fce8e6", "#431d1b"}, ThemeColor{"changed", "#fff6dc", "#3a3216"}};

consteval std::string_view light_color(std::string_view name) {
  for (const ThemeColor& color : kThemeColors)
    if (color.name == name) return color.light;
  throw "no colour of this name";
}

inline constexpr std::string_view kPanel = light_color("panel"), kInk = light_color("ink"),
                                  kQuiet = light_color("quiet"),  ///< labels, frames, notes
    kFaint = light_color("faint"), kEdge = light_color("edge"), kBad = light_color("bad");

/// The same and the colours of lines, var(--c0) and so on, as CSS for a page whose root has data-theme="dark" or not.
std::string theme_css();

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
};

using ColorMap = std::array<Color, 256>;

/// From dark indigo to light yellow; lightness rises evenly. For values without a middle.
const ColorMap& sequential_map();
/// From blue over a light grey to vermilion; lightness is symmetric. For values with a middle, such as opinions.
const ColorMap& diverging_map();

/// The colour at fraction [0, 1] of a map; fractions outside are clamped, NaN is a neutral grey.
Color color_at(const ColorMap& map, double fraction);
std::string hex(Color color);  ///< "#1f77b4"

/// The colour of a class of areas: neighbours in number differ in hue and in lightness.
Color class_color(std::size_t i);
/// "#1f77b4" as a colour; nothing for another text.
std::optional<Color> color_of(std::string_view hex);

/// Colours of lines in the light and in the dark: any two of the first six are apart for normal eyes and for each
/// common colour blindness.
inline constexpr std::array kLineColors{
    ThemeColor{"blue", "#0b6cb0", "#62b4f4"},  ThemeColor{"orange", "#c5600c", "#df8a5b"},
    ThemeColor{"green", "#1f9868", "#34df98"}, ThemeColor{"pink", "#ac4889", "#d987c0"},
    ThemeColor{"brown", "#685317", "#dbb44b"}, ThemeColor{"violet", "#523dc5", "#8590fd"},
    ThemeColor{"red", "#bf2a44", "#f06d8f"},   ThemeColor{"grey", "#676667", "#ababab"}};
inline constexpr std::size_t kApartColors = 6;
/// As in stroke-dasharray: lines beyond the first six have the next of them, and are told apart by both. Theory has its
/// own, "6 4".
inline constexpr std::array<std::string_view, 4> kLineDashes{"", "2 3", "12 3 2 3", "14 3"};

std::string_view line_color(std::size_t i);   ///< repeats after 8
std::string_view line_dashes(std::size_t i);  ///< a pair of colour and dashes repeats after 24

}  // namespace fovea
