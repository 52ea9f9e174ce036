#pragma once
/// Bytes of NIfTI files as the standard has them, field by field, in either byte order.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fovea::support {

struct MadeNifti {
  bool big_endian = false;
  std::int32_t header = 348;
  std::array<std::int16_t, 8> dim{3, 3, 2, 2, 1, 1, 1, 1};
  std::int16_t datatype = 4;
  std::array<float, 8> pixdim{1, 1, 2, 3, 0, 0, 0, 0};
  float first_voxel = 352, slope = 1, intercept = 0;
  char units = 2;
  std::int16_t qform = 0, sform = 1;
  std::array<float, 6> quaternion{0, 0, 0, 0, 0, 0};  ///< b, c, d, offsets
  std::array<float, 12> srow{1, 0, 0, -10, 0, 2, 0, -20, 0, 0, 3, -30};
  std::string magic{"n+1\0", 4};
  std::string extension{"\0\0\0\0", 4}, tail;

  template <typename Number>
  std::string number(Number value) const {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string head() const {
    std::string bytes(348, '\0');
    const auto put = [&](std::size_t at, auto value) { bytes.replace(at, sizeof value, number(value)); };
    put(0, header);
    for (std::size_t k = 0; k < 8; ++k) put(40 + 2 * k, dim[k]), put(76 + 4 * k, pixdim[k]);
    put(70, datatype), put(108, first_voxel), put(112, slope), put(116, intercept);
    bytes[123] = units;
    put(252, qform), put(254, sform);
    for (std::size_t k = 0; k < 6; ++k) put(256 + 4 * k, quaternion[k]);
    for (std::size_t k = 0; k < 12; ++k) put(280 + 4 * k, srow[k]);
    bytes.replace(148, 12, "made by hand");  // descrip
    return bytes.replace(344, 4, magic);
  }
  template <typename Number>
  std::string file(const std::vector<Number>& voxels) const {
    std::string bytes = head() + extension;
    for (const Number voxel : voxels) bytes += number(voxel);
    return bytes + tail;
  }
  /// Twelve voxels, 0 to 11.
  std::string counting() const {
    std::vector<std::int16_t> voxels(12);
    for (std::size_t k = 0; k < 12; ++k) voxels[k] = static_cast<std::int16_t>(k);
    return file(voxels);
  }
};

}  // namespace fovea::support
