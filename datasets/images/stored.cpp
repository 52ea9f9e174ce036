#include "fovea/datasets/images/stored.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include <Eigen/LU>

#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea::datasets::images {

namespace {

using VoxelNumbers = std::tuple<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                                std::uint64_t, std::int64_t, float, double>;  // in the order of VoxelType

/// Calls with a number of the type, whose value does not matter.
template <std::size_t At = 0, typename Action>
auto with_voxel_type(VoxelType type, const Action& action) {
  if constexpr (At + 1 < std::tuple_size_v<VoxelNumbers>)
    if (static_cast<std::size_t>(type) != At) return with_voxel_type<At + 1>(type, action);
  return action(std::tuple_element_t<At, VoxelNumbers>{});
}

template <typename Number>
void swap_bytes(Number& number) {
  std::reverse(reinterpret_cast<char*>(&number), reinterpret_cast<char*>(&number + 1));
}

/// The number nearest to a double that the type can hold; NaN stays NaN in a real one.
template <typename Number>
Number nearest(double number) {
  if constexpr (std::is_integral_v<Number>) {
    // 2^63 and 2^64 are no numbers of their types: comparison by >= keeps the cast defined
    if (number >= static_cast<double>(std::numeric_limits<Number>::max())) return std::numeric_limits<Number>::max();
    if (number <= static_cast<double>(std::numeric_limits<Number>::min())) return std::numeric_limits<Number>::min();
  }
  return static_cast<Number>(number);
}

constexpr std::uint64_t kMostPacked = 1032;  // of bytes in one of DEFLATE

}  // namespace

std::size_t bytes_of(VoxelType type) {
  return with_voxel_type(type, [](auto number) { return sizeof(number); });
}

const char* name_of(VoxelType type) {
  constexpr std::array kNames{"uint8", "int8",   "uint16", "int16",   "uint32",
                              "int32", "uint64", "int64",  "float32", "float64"};
  return kNames[static_cast<std::size_t>(type)];
}

Coding coding_of(VoxelType type) {
  Coding coding{type};
  with_voxel_type(type, [&](auto number) {
    coding.lowest = static_cast<double>(std::numeric_limits<decltype(number)>::lowest());
    coding.highest = static_cast<double>(std::numeric_limits<decltype(number)>::max());
  });
  return coding;
}

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at, bool swapped) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  if (swapped) swap_bytes(number);
  return number;
}
template std::int16_t number_at(std::string_view, std::size_t, bool);
template std::uint32_t number_at(std::string_view, std::size_t, bool);
template std::int32_t number_at(std::string_view, std::size_t, bool);
template float number_at(std::string_view, std::size_t, bool);

void decode(const Coding& coding, std::string_view voxels, std::size_t first, std::size_t count, double* numbers) {
  const bool scaled = coding.slope != 1 || coding.intercept != 0;
  with_voxel_type(coding.type, [&](auto kind) {
    using Number = decltype(kind);
    for (std::size_t k = 0; k < count; ++k) {
      const auto value = static_cast<double>(number_at<Number>(voxels, (first + k) * sizeof(Number), coding.swapped));
      numbers[k] = scaled ? coding.slope * value + coding.intercept : value;
    }
  });
}

bool encode(const Coding& coding, double number, std::size_t at, std::string& voxels) {
  double stored = (number - coding.intercept) / coding.slope;
  if (!is_real(coding.type)) stored = std::nearbyint(stored);
  const bool clipped = stored < coding.lowest || stored > coding.highest;
  if (clipped) stored = std::clamp(stored, coding.lowest, coding.highest);
  with_voxel_type(coding.type, [&](auto kind) {
    auto value = nearest<decltype(kind)>(stored);
    if (coding.swapped) swap_bytes(value);
    std::memcpy(voxels.data() + at * sizeof value, &value, sizeof value);
  });
  return clipped;
}

std::size_t checked_bytes(const std::string& path, const Grid& grid, std::size_t each, std::uint64_t held,
                          bool packed) {
  std::uint64_t bytes = each;
  for (const Index size : grid.size) {
    if (size < 1) refuse_image(path, "the header states a size of ", size, "; a size is 1 or more.");
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
      bytes = std::numeric_limits<std::uint64_t>::max();
  }
  if (bytes > held && (!packed || bytes / kMostPacked > held))
    refuse_damaged(path, "the header states ", grid.size[0], " x ", grid.size[1], " x ", grid.size[2], " voxels, ",
                   bytes, " bytes, which the file of ", held, " does not hold");
  const std::uint64_t needed = bytes + bytes / each * sizeof(double);
  if (needed > memory_left())
    refuse_image(path, "takes ", memory_text(static_cast<double>(needed)),
                 " of memory, more than is left; give a part of it.");
  return bytes;
}

void take_stored(Volume& volume, Stored stored) {
  volume.stored = stored.coding.type;
  const auto count = static_cast<std::size_t>(volume.grid.voxels());
  if (const std::size_t bytes = count * bytes_of(volume.stored); stored.voxels.size() < bytes)
    refuse_damaged(volume.path, "holds ", stored.voxels.size(), " bytes of voxels, and its header states ", bytes);
  volume.values.resize(count);
  decode(stored.coding, stored.voxels, 0, count, volume.values.data());
  volume.file = std::make_shared<const Stored>(std::move(stored));
}

std::string plain_file(const std::string& path) {
  std::string bytes = read_file(path);
  if (bytes.starts_with("\x1F\x8B"))
    refuse_image(path, "is packed by gzip, of which NIfTI alone is read; unpack it: gunzip -k ", path);
  return bytes;
}

std::string voxel_text(const Grid& grid, Index at) {
  return concat("voxel (", at % grid.size[0], ", ", at / grid.size[0] % grid.size[1], ", ",
                at / grid.size[0] / grid.size[1], ")");
}

bool spans_space(const Eigen::Matrix4d& affine) {
  const Eigen::Matrix3d turn = affine.topLeftCorner<3, 3>();
  const double lengths = turn.colwise().norm().prod();
  return affine.allFinite() && lengths > 0 && std::abs(turn.determinant()) > 1e-6 * lengths;
}

void check_grid(const std::string& path, const Grid& grid) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(grid.spacing[axis] > 0) || !std::isfinite(grid.spacing[axis]))
      refuse_image(path, "the spacing along ", "xyz"[axis], " is ", grid.spacing[axis], "; it must be above 0.");
  if (!spans_space(grid.to_world)) refuse_image(path, "its axes do not span a space; correct the header's affine.");
}

}  // namespace fovea::datasets::images
