#include "fovea/datasets/text/byte_stream.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

namespace {

constexpr unsigned kStreamBuffer = 1U << 18;

}  // namespace

std::string way_to_unpack(std::string_view front, const std::string& path) {
  struct Packing {
    std::string_view mark, name, command;
  };
  constexpr std::array kPackings{Packing{std::string_view("\xFD"
                                                          "7zXZ\0",
                                                          6),
                                         "xz", "xz -dk "},
                                 Packing{"\x28\xB5\x2F\xFD", "zstd", "zstd -dk "},
                                 Packing{"BZh", "bzip2", "bunzip2 -k "}};
  for (const Packing& packing : kPackings)
    if (front.starts_with(packing.mark))
      return concat("is packed by ", packing.name, ", which is not unpacked here: ", packing.command, path);
  return "";
}

namespace {

/// The end of a sentence on a file that is packed otherwise than by gzip; "" for any other.
std::string packing_of(gzFile file, const std::string& path) {
  std::array<char, 6> front{};
  const int size = gzread(file, front.data(), front.size());
  gzrewind(file);
  return way_to_unpack(std::string_view(front.data(), size > 0 ? static_cast<std::size_t>(size) : 0), path);
}

}  // namespace

ByteStream::ByteStream(const std::string& path) : path_(path) {
  struct stat info {};
  const bool is_there = ::stat(path.c_str(), &info) == 0;
  if (is_there && S_ISDIR(info.st_mode)) errno = EISDIR;
  file_ = is_there && !S_ISDIR(info.st_mode) ? gzopen(path.c_str(), "rb") : nullptr;
  if (file_ == nullptr)
    throw StorageError(concat(path, ": cannot be opened: ", std::generic_category().message(errno), "."));
  gzbuffer(file_, kStreamBuffer);
  if (const std::string way = packing_of(file_, path); !way.empty()) {
    gzclose(file_);
    throw DataError(concat(path, ": ", way));
  }
  if (path.ends_with(".gz") && info.st_size > 0 && gzdirect(file_) != 0) {
    gzclose(file_);
    throw DataError(concat(path, ": is no gzip file though it ends in .gz; rename it, or pack it with gzip."));
  }
}

ByteStream::~ByteStream() {
  if (file_ != nullptr) gzclose(file_);
}

std::size_t ByteStream::read(char* target, std::size_t size) {
  if (file_ == nullptr) {
    const std::size_t taken = bytes_.copy(target, size, taken_);
    taken_ += taken;
    return taken;
  }
  const int done = gzread(file_, target, static_cast<unsigned>(size));
  if (done > 0) return done;
  int error = Z_OK;
  const char* text = gzerror(file_, &error);
  if (done == 0 && error == Z_OK) return 0;
  if (error == Z_BUF_ERROR) throw DataError(concat(path_, ": ends in the middle; it was cut, get it again."));
  if (error == Z_ERRNO) throw StorageError(concat(path_, ": cannot be read: ", text, "."));
  throw DataError(concat(path_, ": is damaged (", text, "); get it again."));
}

}  // namespace fovea::datasets::text
