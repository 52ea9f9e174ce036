// The file, its header and the entries of its directories.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/geotiff/directory.hpp"

namespace fovea::datasets::rasters::geotiff {

namespace {

constexpr std::uint64_t kMostEntries = 4096;
constexpr std::uint64_t kLongestTag = std::uint64_t{64} << 20;  // bytes of what is taken into memory

/// Bytes of a value by its type: 0 for types that TIFF does not have.
std::uint64_t type_bytes(std::uint16_t type) {
  constexpr std::array<std::uint8_t, 19> kBytes{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < kBytes.size() ? kBytes[type] : 0;
}

std::uint64_t swapped_number(std::uint64_t number, unsigned bytes) {
  return __builtin_bswap64(number) >> (64 - 8 * bytes);
}

/// The bytes of a tag's values.
std::string tag_bytes(const TiffBytes& file, std::uint16_t number, const TiffTag& tag) {
  const std::uint64_t size = tag.count * type_bytes(tag.type);
  if (size > kLongestTag)
    file.refuse(concat("tag ", number, " has ", size, " bytes; at most ", kLongestTag,
                       " are read. Write it with larger tiles"));
  std::string bytes(size, '\0');
  file.read(tag.offset, size, bytes.data());
  return bytes;
}

std::uint64_t number_at(const TiffBytes& file, const std::string& bytes, std::uint64_t index, unsigned each) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + index * each, each);
  return file.is_swapped() ? swapped_number(number, each) : number;
}

}  // namespace

TiffBytes::TiffBytes(const Place& place)
    : place_(place), path_(place.path()), file_(open_place(place, O_RDONLY | O_NONBLOCK)) {
  static_assert(std::endian::native == std::endian::little, "the numbers of a TIFF are put together for such machines");
  if (!file_.is_open()) refuse_input(place, errno);
  struct stat info {};
  if (::fstat(file_.number(), &info) != 0) refuse_for(place, "cannot be read", errno);
  if (!S_ISREG(info.st_mode)) refuse("is no regular file; name a GeoTIFF");
  size_ = static_cast<std::uint64_t>(info.st_size);
  if (size_ == 0) refuse("is empty; name a GeoTIFF");
  std::array<char, 4> mark{};
  read_some(0, mark.size(), mark.data());
  const std::string_view order(mark.data(), 2);
  swapped_ = order == "MM";
  const std::uint64_t version = swapped_ ? static_cast<std::uint8_t>(mark[3]) : static_cast<std::uint8_t>(mark[2]);
  if ((order != "II" && order != "MM") || mark[swapped_ ? 2 : 3] != 0 || (version != 42 && version != 43))
    refuse("is no TIFF; name a GeoTIFF (JPEG 2000 and others: gdal_translate -of GTiff)");
  big_ = version == 43;
  if (size_ < (big_ ? 16 : 8)) damaged("ends within its header");
  if (big_ && (number(4, 2) != 8 || number(6, 2) != 0)) damaged("has a header that is none of a BigTIFF");
  first_ = big_ ? number(8, 8) : number(4, 4);
}

std::uint64_t TiffBytes::read_some(std::uint64_t offset, std::uint64_t count, void* bytes) const {
  std::uint64_t got = 0;
  while (got < count && offset + got < size_) {
    const ssize_t done =
        ::pread(file_.number(), static_cast<char*>(bytes) + got, count - got, static_cast<off_t>(offset + got));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse_for(place_, "cannot be read", errno);
    if (done == 0) break;
    got += static_cast<std::uint64_t>(done);
  }
  return got;
}

void TiffBytes::read(std::uint64_t offset, std::uint64_t count, void* bytes) const {
  if (read_some(offset, count, bytes) != count) damaged("ends too early");
}

std::uint64_t TiffBytes::number(std::uint64_t offset, unsigned bytes) const {
  std::uint64_t number = 0;
  if (offset > size_ || size_ - offset < bytes) damaged("points behind its end");
  read(offset, bytes, &number);
  return swapped_ ? swapped_number(number, bytes) : number;
}

void TiffBytes::damaged(const std::string& what) const {
  throw DataError(concat(path_, ": is damaged: it ", what, "; restore it from a copy, or make it again."));
}

void TiffBytes::refuse(const std::string& sentence) const { throw DataError(concat(path_, ": ", sentence, ".")); }

TiffDirectory read_directory(const TiffBytes& file, std::uint64_t offset) {
  TiffDirectory directory;
  directory.offset = offset;
  const unsigned head = file.is_big() ? 8 : 2, each = file.is_big() ? 20 : 12, wide = file.is_big() ? 8 : 4;
  const std::uint64_t entries = file.number(offset, head);
  if (entries == 0) file.damaged("has a directory without entries");
  if (entries > kMostEntries) file.damaged(concat("claims a directory of ", entries, " entries"));
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t at = offset + head + i * each;
    const auto number = static_cast<std::uint16_t>(file.number(at, 2));
    TiffTag tag{static_cast<std::uint16_t>(file.number(at + 2, 2)), file.number(at + 4, wide), at + 4 + wide};
    const std::uint64_t bytes = type_bytes(tag.type);
    if (bytes == 0) file.damaged(concat("has tag ", number, " of the unknown type ", tag.type));
    if (tag.count > file.size() / bytes) file.damaged(concat("claims ", tag.count, " values of tag ", number));
    if (tag.count * bytes > wide) tag.offset = file.number(at + 4 + wide, wide);
    if (tag.offset > file.size() || file.size() - tag.offset < tag.count * bytes)
      file.damaged(concat("has the values of tag ", number, " behind its end"));
    if (!directory.tags.emplace(number, tag).second) file.damaged(concat("has tag ", number, " twice"));
  }
  directory.next = file.number(offset + head + entries * each, wide);
  return directory;
}

std::vector<std::uint64_t> wholes_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag) {
  const auto found = directory.tags.find(tag);
  if (found == directory.tags.end()) return {};
  const std::uint16_t type = found->second.type;
  if (type != 1 && type != 3 && type != 4 && type != 13 && type != 16 && type != 18)
    file.damaged(concat("has tag ", tag, " of type ", type, ", which is none of whole numbers"));
  const std::string bytes = tag_bytes(file, tag, found->second);
  std::vector<std::uint64_t> numbers(found->second.count);
  const auto each = static_cast<unsigned>(type_bytes(type));
  for (std::uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = number_at(file, bytes, i, each);
  return numbers;
}

std::vector<double> reals_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag) {
  const auto found = directory.tags.find(tag);
  if (found == directory.tags.end()) return {};
  if (found->second.type != 12)
    file.damaged(concat("has tag ", tag, " of type ", found->second.type, ", but it must have doubles"));
  const std::string bytes = tag_bytes(file, tag, found->second);
  std::vector<double> numbers(found->second.count);
  for (std::uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = std::bit_cast<double>(number_at(file, bytes, i, 8));
  return numbers;
}

std::string text_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag) {
  const auto found = directory.tags.find(tag);
  if (found == directory.tags.end()) return {};
  if (found->second.type != 2 && found->second.type != 1 && found->second.type != 7)
    file.damaged(concat("has tag ", tag, " of type ", found->second.type, ", but it must have text"));
  return tag_bytes(file, tag, found->second);
}

}  // namespace fovea::datasets::rasters::geotiff
