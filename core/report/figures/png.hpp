#pragma once
/// PNG files (ISO/IEC 15948): pixels row by row from the top. Each becomes a square of factor x factor equal ones:
/// other programs blur what they enlarge.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/report/figures/colors.hpp"

namespace fovea {

/// A factor for pictures of so many pixels, shown `length` CSS pixels long: of the file at least 16 pixels for each,
/// and two for each CSS pixel, up to 1600 along the longer side.
std::size_t sharp_factor(std::size_t columns, std::size_t rows, double length);

/// width x pixels.size() / width pixels.
std::string png_image(const std::vector<Color>& pixels, std::size_t width, std::size_t factor = 1);

/// The same where some pixels are not there: those are transparent. there: as many as pixels.
std::string png_image(const std::vector<Color>& pixels, const std::vector<bool>& there, std::size_t width,
                      std::size_t factor = 1);

/// Pixels by the number of their colour; a number that the palette has not (at most 255 colours) is transparent.
std::string png_image(const std::vector<std::uint8_t>& numbers, const std::vector<Color>& palette, std::size_t width,
                      std::size_t factor = 1);

}  // namespace fovea
