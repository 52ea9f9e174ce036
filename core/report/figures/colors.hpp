#pragma once
/// Colours: two maps whose lightness changes evenly (made in the OKLab space, Ottosson 2020) and a set for lines that
/// stays distinct for colour-blind eyes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

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

/// Colour of line number i on paper; repeats after 8.
const std::string& line_color(std::size_t i);

}  // namespace fovea
