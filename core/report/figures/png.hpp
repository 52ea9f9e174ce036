#pragma once
/// PNG files (ISO/IEC 15948): pixels row by row from the top.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/report/figures/colors.hpp"

namespace fovea {

/// width x pixels.size() / width pixels.
std::string png_image(const std::vector<Color>& pixels, std::size_t width);

/// The same where some pixels are not there: those are transparent. there: as many as pixels.
std::string png_image(const std::vector<Color>& pixels, const std::vector<bool>& there, std::size_t width);

/// Pixels by the number of their colour; a number that the palette has not (at most 255 colours) is transparent.
std::string png_image(const std::vector<std::uint8_t>& numbers, const std::vector<Color>& palette, std::size_t width);

}  // namespace fovea
