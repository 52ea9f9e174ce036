/// PNG in grey: read by libpng, written chunk by chunk, so that what else the file holds goes through.

#include <libdeflate.h>
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/gzip.hpp"

namespace fovea::datasets::images {

namespace {

constexpr std::size_t kChunkFrame = 12, kChunks = 33;  // length, name and sum; after IHDR

/// What libpng reads from, and what it says.
struct PngBytes {
  std::string_view bytes;
  std::size_t at = 0;
  std::array<char, 120> fault{};
};

extern "C" {
static void take_png_bytes(png_structp png, png_bytep target, png_size_t size) {
  auto& from = *static_cast<PngBytes*>(png_get_io_ptr(png));
  if (from.bytes.size() - from.at < size) png_error(png, "it ends in the middle");
  std::memcpy(target, from.bytes.data() + from.at, size);
  from.at += size;
}
static void keep_png_fault(png_structp png, png_const_charp text) {
  auto& from = *static_cast<PngBytes*>(png_get_error_ptr(png));
  std::strncpy(from.fault.data(), text, from.fault.size() - 1);
  png_longjmp(png, 1);
}
static void pass_png_warning(png_structp, png_const_charp) {}
}

/// Rows from above. False with from.fault. Nothing in it has a destructor: libpng leaves it by longjmp.
bool take_png_rows(PngBytes& from, char* voxels, std::size_t row_bytes) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &from, keep_png_fault, pass_png_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &from, take_png_bytes);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_bytepp rows = png_get_rows(png, info);
  const png_uint_32 height = png_get_image_height(png, info);
  for (png_uint_32 row = 0; row < height; ++row) std::memcpy(voxels + row * row_bytes, rows[row], row_bytes);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

std::string big_endian(std::uint32_t number) {
  const std::uint32_t turned = __builtin_bswap32(number);
  return {reinterpret_cast<const char*>(&turned), sizeof turned};
}

std::string png_chunk(const std::string& name, const std::string& data) {
  const std::string summed = name + data;
  return big_endian(static_cast<std::uint32_t>(data.size())) + summed +
         big_endian(libdeflate_crc32(0, summed.data(), summed.size()));
}

/// All chunks but IHDR, IDAT and IEND: those before the voxels and those after.
void keep_chunks(std::string_view bytes, Stored& stored) {
  bool after = false;
  for (std::size_t at = kChunks; at + kChunkFrame <= bytes.size();) {
    const std::size_t size = number_at<std::uint32_t>(bytes, at, true) + kChunkFrame;
    const std::string_view name = bytes.substr(at + 4, 4);
    if (name == "IEND" || size > bytes.size() - at) return;
    if (name == "IDAT")
      after = true;
    else
      (after ? stored.tail : stored.head).append(bytes.substr(at, size));
    at += size;
  }
}

}  // namespace

Volume read_png(const std::string& path) {
  const std::string bytes = plain_file(path);
  if (bytes.size() < kChunks || bytes.compare(12, 4, "IHDR") != 0)
    refuse_damaged(path, "has no header of a PNG picture");
  const int depth = bytes[24], colour = bytes[25];
  constexpr const char* kGrey = "; save it in grey, with 8 or 16 bits and without alpha.";
  if (colour == PNG_COLOR_TYPE_GRAY_ALPHA) refuse_image(path, "its voxels have an alpha channel", kGrey);
  if (colour != PNG_COLOR_TYPE_GRAY) refuse_image(path, "its voxels are colours", kGrey);
  if (depth != 8 && depth != 16) refuse_image(path, "its voxels have ", counted(depth, "bit"), kGrey);
  Volume volume;
  volume.path = path;
  volume.grid.size = {number_at<std::uint32_t>(bytes, 16, true), number_at<std::uint32_t>(bytes, 20, true), 1};
  volume.grid.to_world.diagonal() << -1, -1, 1, 1;  // columns to the left, rows to the back: as slices are looked at
  volume.notes.push_back("A picture states no place in the world; its pixels are taken as 1 mm wide.");
  Stored stored;
  stored.format = Format::png;
  stored.coding = coding_of(depth == 16 ? VoxelType::uint16 : VoxelType::uint8);
  stored.coding.swapped = true;
  const std::size_t each = bytes_of(stored.coding.type),
                    size = checked_bytes(path, volume.grid, each, bytes.size(), true);
  stored.voxels.resize(size);
  PngBytes from{bytes};
  if (!take_png_rows(from, stored.voxels.data(), size / static_cast<std::size_t>(volume.grid.size[1])))
    refuse_damaged(path, "libpng finds a fault (", from.fault.data(), ")");
  keep_chunks(bytes, stored);
  take_stored(volume, std::move(stored));
  return volume;
}

std::string png_bytes(const Grid& grid, const Stored& stored, const std::string& voxels) {
  const std::size_t each = bytes_of(stored.coding.type), row_bytes = each * static_cast<std::size_t>(grid.size[0]);
  std::string rows;
  for (std::size_t at = 0; at < voxels.size(); ++at) {  // differences to the left, which pack best
    if (at % row_bytes == 0) rows += '\1';
    rows += static_cast<char>(voxels[at] - (at % row_bytes < each ? 0 : voxels[at - each]));
  }
  std::string head;
  for (const int axis : {0, 1}) head += big_endian(static_cast<std::uint32_t>(grid.size[axis]));
  head += std::string{static_cast<char>(8 * each), 0, 0, 0, 0};
  return "\x89PNG\r\n\x1A\n" + png_chunk("IHDR", head) + stored.head +
         png_chunk("IDAT", text::fast_packed(rows, false)) + stored.tail + png_chunk("IEND", "");
}

}  // namespace fovea::datasets::images
