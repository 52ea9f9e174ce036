#pragma once
/// Bytes of PNG pictures, chunk by chunk, and of slices of DICOM, element by element.

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

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

/// A slice of 3 x 2 voxels in explicit little-endian.
struct MadeSlice {
  std::string position = "0\\0\\0", turn = "1\\0\\0\\0\\1\\0", spacing = "2\\1", slope = "1", intercept = "-1024",
              modality = "CT", series = "1.2.3";
  std::uint16_t rows = 2, samples = 1;
  std::vector<std::int16_t> voxels{1024, 1025, 1026, 1027, 1028, 1029};

  static std::string word(std::uint16_t number) {
    return {static_cast<char>(number & 0xFF), static_cast<char>(number >> 8)};
  }
  static std::string element(std::uint16_t group, std::uint16_t number, const std::string& kind, std::string value) {
    if (value.size() % 2 != 0) value += kind == "UI" ? '\0' : ' ';
    const std::string size = word(static_cast<std::uint16_t>(value.size()));
    return word(group) + word(number) + kind + (kind == "OW" ? word(0) + size + word(0) : size) + value;
  }
  std::string file() const {
    const std::string image = "1.2.840.10008.5.1.4.1.1.2";
    const std::string meta =
        element(2, 2, "UI", image) + element(2, 3, "UI", "1.9") + element(2, 0x10, "UI", "1.2.840.10008.1.2.1");
    std::string bytes(128, '\0');
    bytes += "DICM" + element(2, 0, "UL", word(static_cast<std::uint16_t>(meta.size())) + word(0)) + meta;
    bytes += element(8, 0x16, "UI", image) + element(8, 0x18, "UI", "1.9") + element(8, 0x60, "CS", modality) +
             element(0x18, 0x50, "DS", "5") + element(0x20, 0xE, "UI", series);
    if (modality == "RTSTRUCT") return bytes;
    if (!position.empty()) bytes += element(0x20, 0x32, "DS", position);
    bytes += element(0x20, 0x37, "DS", turn) + element(0x28, 2, "US", word(samples)) +
             element(0x28, 4, "CS", samples == 3 ? "RGB" : "MONOCHROME2") + element(0x28, 0x10, "US", word(rows)) +
             element(0x28, 0x11, "US", word(3)) + element(0x28, 0x30, "DS", spacing) +
             element(0x28, 0x100, "US", word(16)) + element(0x28, 0x101, "US", word(16)) +
             element(0x28, 0x102, "US", word(15)) + element(0x28, 0x103, "US", word(1)) +
             element(0x28, 0x1052, "DS", intercept) + element(0x28, 0x1053, "DS", slope);
    std::string pixels(voxels.size() * 2, '\0');
    std::memcpy(pixels.data(), voxels.data(), pixels.size());
    return bytes + element(0x7FE0, 0x10, "OW", pixels);
  }
};

}  // namespace fovea::support
