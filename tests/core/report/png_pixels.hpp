#pragma once
/// Reads back the pixels of the PNG files that the report writes, with the inflate of zlib alone.

#include <zlib.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace fovea::support {

using Pixel = std::array<int, 4>;  ///< red, green, blue, opacity

struct PngPixels {
  std::size_t width = 0, height = 0;
  std::vector<Pixel> pixels;
  const Pixel& at(std::size_t row, std::size_t column) const { return pixels.at(row * width + column); }
};

inline std::string decoded_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

/// Throws if it is no PNG of 8 bits whose rows are filtered by nothing, by the left or by the upper pixel.
inline PngPixels png_pixels(const std::string& file) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file.at(i))); };
  const auto number = [&](std::size_t i) { return byte(i) << 24 | byte(i + 1) << 16 | byte(i + 2) << 8 | byte(i + 3); };
  std::string palette, opacity, packed;
  PngPixels out{number(16), number(20), {}};
  const std::size_t type = byte(25), each = type == 2 ? 3 : type == 6 ? 4 : 1;
  for (std::size_t at = 8; at < file.size(); at += 12 + number(at)) {
    const std::string name = file.substr(at + 4, 4), data = file.substr(at + 8, number(at));
    if (number(at + 8 + data.size()) !=
        crc32(0, reinterpret_cast<const Bytef*>(file.data()) + at + 4, static_cast<uInt>(data.size() + 4)))
      throw std::runtime_error("the check sum of " + name + " is wrong");
    if (name == "PLTE") palette = data;
    if (name == "tRNS") opacity = data;
    if (name == "IDAT") packed += data;
  }
  const std::size_t length = out.width * each;
  std::vector<unsigned char> raw(out.height * (length + 1));
  uLongf size = static_cast<uLongf>(raw.size());
  if (uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())) !=
          Z_OK ||
      size != raw.size())
    throw std::runtime_error("the rows cannot be unpacked");
  for (std::size_t r = 0; r < out.height; ++r) {
    unsigned char* row = raw.data() + r * (length + 1) + 1;
    for (std::size_t i = 0; i < length; ++i) {
      if (row[-1] > 2) throw std::runtime_error("an unknown filter");
      if (row[-1] == 1 && i >= each) row[i] = static_cast<unsigned char>(row[i] + row[i - each]);
      if (row[-1] == 2 && r > 0)
        row[i] = static_cast<unsigned char>(
            row[i] + row[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(length) - 1]);
    }
    for (std::size_t c = 0; c < out.width; ++c) {
      const unsigned char* p = row + c * each;
      const auto part = [&](std::size_t k) {
        return static_cast<int>(static_cast<unsigned char>(palette.at(3 * p[0] + k)));
      };
      if (type == 3)
        out.pixels.push_back({part(0), part(1), part(2), static_cast<unsigned char>(opacity.at(p[0]))});
      else
        out.pixels.push_back({p[0], p[1], p[2], type == 6 ? p[3] : 255});
    }
  }
  return out;
}

/// One pixel of each square of factor x factor. Throws if a square has several colours.
inline PngPixels shrunk(const PngPixels& large, std::size_t factor) {
  PngPixels out{large.width / factor, large.height / factor, {}};
  for (std::size_t r = 0; r < large.height; ++r)
    for (std::size_t c = 0; c < large.width; ++c) {
      const Pixel& pixel = large.at(r, c);
      if (r % factor == 0 && c % factor == 0) out.pixels.push_back(pixel);
      if (pixel != out.at(r / factor, c / factor)) throw std::runtime_error("a square of several colours");
    }
  return out;
}

/// Those of the images in an SVG, in its order.
inline std::vector<PngPixels> pictures_in(const std::string& svg) {
  const std::string mark = "data:image/png;base64,";
  std::vector<PngPixels> pictures;
  for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    pictures.push_back(png_pixels(decoded_base64(svg.substr(start, svg.find('"', start) - start))));
  }
  return pictures;
}

}  // namespace fovea::support
