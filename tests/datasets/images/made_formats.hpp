#pragma once
/// Bytes of PNG pictures, chunk by chunk.

#include <zlib.h>

#include <string>

namespace fovea::support {

inline std::string png_number(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

inline std::string png_chunk(const std::string& named) {
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
  return png_number(static_cast<std::uint32_t>(named.size() - 4)) + named + png_number(static_cast<std::uint32_t>(sum));
}

/// rows: each begins with its filter. colour 0: grey.
inline std::string made_png(std::uint32_t width, std::uint32_t height, int depth, int colour, const std::string& rows) {
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
           static_cast<uLong>(rows.size()));
  packed.resize(size);
  const std::string head =
      png_number(width) + png_number(height) + static_cast<char>(depth) + static_cast<char>(colour);
  return "\x89PNG\r\n\x1A\n" + png_chunk("IHDR" + head + std::string(3, '\0')) +
         png_chunk(std::string("tEXtnote\0kept", 13)) + png_chunk("IDAT" + packed) + png_chunk("IEND");
}

}  // namespace fovea::support
