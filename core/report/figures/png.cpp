#include "fovea/core/report/figures/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

using Bytes = std::vector<std::uint8_t>;

void big_endian(Bytes& out, unsigned long value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift & 255));
}

/// A chunk of a PNG file: length, type, data, check sum of type and data.
void png_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  big_endian(out, data.size());
  const std::size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  big_endian(out, crc32(0, out.data() + start, static_cast<uInt>(out.size() - start)));
}

Bytes deflated(const Bytes& raw) {
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  Bytes packed(size);
  require(compress2(packed.data(), &size, raw.data(), static_cast<uLong>(raw.size()), 9) == Z_OK,
          "png_image: zlib could not pack ", raw.size(), " bytes.");
  packed.resize(size);
  return packed;
}

enum class ColorType : std::uint8_t { rgb = 2, palette = 3, rgba = 6 };

/// How far a filter leaves the bytes from 0: what is left packs the better the smaller it is.
std::size_t remainder(const Bytes& row) {
  std::size_t sum = 0;
  for (const std::uint8_t byte : row) sum += std::abs(static_cast<std::int8_t>(byte));
  return sum;
}

/// A row as it is, as differences to the pixel before, or to the pixel above, whichever is nearest to 0; its first byte
/// says which (filter types 0, 1 and 2).
Bytes filtered(const Bytes& row, const Bytes& above, std::size_t pixel) {
  Bytes left = row, up = row;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i >= pixel) left[i] = static_cast<std::uint8_t>(row[i] - row[i - pixel]);
    up[i] = static_cast<std::uint8_t>(row[i] - above[i]);
  }
  Bytes best = row;
  std::uint8_t type = 0;
  if (remainder(left) < remainder(best)) best = left, type = 1;
  if (remainder(up) < remainder(best)) best = up, type = 2;
  best.insert(best.begin(), type);
  return best;
}

/// Every row `factor` times, and in it every pixel, of `pixel` bytes.
Bytes enlarged(const Bytes& pixels, std::size_t width, std::size_t pixel, std::size_t factor) {
  if (factor == 1 || width == 0) return pixels;
  Bytes out;
  out.reserve(pixels.size() * factor * factor);
  for (std::size_t start = 0; start < pixels.size(); start += width * pixel) {
    const std::size_t first = out.size();
    for (std::size_t at = start; at < start + width * pixel; at += pixel)
      for (std::size_t k = 0; k < factor; ++k) out.insert(out.end(), pixels.data() + at, pixels.data() + at + pixel);
    const Bytes row(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    for (std::size_t k = 1; k < factor; ++k) out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

/// palette and opacity: the chunks PLTE and tRNS, left out where they are empty.
std::string png_file(const Bytes& pixels, std::size_t width, std::size_t pixel, ColorType type, bool filters,
                     const Bytes& palette = {}, const Bytes& opacity = {}) {
  const std::size_t height = width == 0 ? 0 : pixels.size() / (width * pixel);
  Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, header, raw, above(width * pixel, 0);
  big_endian(header, width);
  big_endian(header, height);
  header.insert(header.end(), {8, static_cast<std::uint8_t>(type), 0, 0, 0});  // 8 bits, standard, not interlaced
  for (std::size_t r = 0; r < height; ++r) {
    const auto start = pixels.begin() + static_cast<std::ptrdiff_t>(r * width * pixel);
    Bytes row(start, start + static_cast<std::ptrdiff_t>(width * pixel));
    const Bytes written = filters ? filtered(row, above, pixel) : Bytes{};
    if (!filters) raw.push_back(0);
    raw.insert(raw.end(), filters ? written.begin() : row.begin(), filters ? written.end() : row.end());
    above = std::move(row);
  }
  png_chunk(file, "IHDR", header);
  if (!palette.empty()) png_chunk(file, "PLTE", palette);
  if (!opacity.empty()) png_chunk(file, "tRNS", opacity);
  png_chunk(file, "IDAT", deflated(raw));
  png_chunk(file, "IEND", {});
  return {file.begin(), file.end()};
}

}  // namespace

std::size_t sharp_factor(std::size_t columns, std::size_t rows, double length) {
  constexpr std::size_t kLeastPixels = 16, kLongestSide = 1600;
  const std::size_t longest = std::max<std::size_t>({columns, rows, 1});
  const auto twice = static_cast<std::size_t>(std::ceil(2 * length / static_cast<double>(longest)));
  return std::clamp<std::size_t>(kLongestSide / longest, 1, std::max(kLeastPixels, twice));
}

std::string png_image(const std::vector<Color>& pixels, std::size_t width, std::size_t factor) {
  Bytes bytes;
  for (const Color color : pixels) bytes.insert(bytes.end(), {color.red, color.green, color.blue});
  return png_file(enlarged(bytes, width, 3, factor), width * factor, 3, ColorType::rgb, factor > 1);
}

std::string png_image(const std::vector<Color>& pixels, const std::vector<bool>& there, std::size_t width,
                      std::size_t factor) {
  require(there.size() == pixels.size(), "png_image: there are ", pixels.size(), " pixels, but ", there.size(),
          " words on which of them are there.");
  const bool all = std::all_of(there.begin(), there.end(), [](bool one) { return one; });
  Bytes bytes;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Color color = there[i] ? pixels[i] : Color{};
    bytes.insert(bytes.end(), {color.red, color.green, color.blue});
    if (!all) bytes.push_back(there[i] ? 255 : 0);
  }
  const std::size_t pixel = all ? 3 : 4;
  return png_file(enlarged(bytes, width, pixel, factor), width * factor, pixel, all ? ColorType::rgb : ColorType::rgba,
                  true);
}

std::string png_image(const std::vector<std::uint8_t>& numbers, const std::vector<Color>& palette, std::size_t width,
                      std::size_t factor) {
  require(palette.size() <= 255, "png_image: ", palette.size(), " colours, but at most 255 and what is not there.");
  Bytes colors, opacity(palette.size(), 255), known = numbers;
  for (const Color color : palette) colors.insert(colors.end(), {color.red, color.green, color.blue});
  colors.insert(colors.end(), {0, 0, 0});
  opacity.push_back(0);
  for (std::uint8_t& number : known) number = static_cast<std::uint8_t>(std::min<std::size_t>(number, palette.size()));
  return png_file(enlarged(known, width, 1, factor), width * factor, 1, ColorType::palette, factor > 1, colors,
                  opacity);
}

}  // namespace fovea
