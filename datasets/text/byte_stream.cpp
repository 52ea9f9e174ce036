#include "fovea/datasets/text/byte_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::text {

namespace {

constexpr unsigned kStreamBuffer = 1U << 18;

}  // namespace

ByteStream::ByteStream(const std::string& path, std::size_t first) : path_(path) {
  struct stat info {};
  const bool is_there = ::stat(path.c_str(), &info) == 0;
  if (is_there && S_ISDIR(info.st_mode)) errno = EISDIR;
  Descriptor file(is_there && !S_ISDIR(info.st_mode) ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1);
  if (!file.is_open()) refuse_input(path, errno);
  if (first > 0 && ::lseek(file.number(), static_cast<off_t>(first), SEEK_SET) < 0) refuse_input(path, errno);
  file_ = gzdopen(file.number(), "rb");
  if (file_ == nullptr) throw std::bad_alloc();
  file.release();
  gzbuffer(file_, kStreamBuffer);
}

ByteStream::ByteStream(const std::string& path) : ByteStream(path, 0) {
  bytes_.resize(kTellingBytes);
  const int front = gzread(file_, bytes_.data(), kTellingBytes);
  bytes_.resize(front > 0 ? static_cast<std::size_t>(front) : 0);
  if (const std::string foreign = foreign_format(bytes_, path); !foreign.empty())
    throw DataError(concat(path, ": ", foreign));
  if (path.ends_with(".gz") && !bytes_.empty() && gzdirect(file_) != 0)
    throw DataError(concat(path, ": is no gzip file though it ends in .gz; rename it, or pack it with gzip."));
}

ByteStream::~ByteStream() {
  if (file_ != nullptr) gzclose(file_);
}

std::size_t ByteStream::read(char* target, std::size_t size) {
  if (const std::size_t taken = bytes_.copy(target, size, taken_); taken > 0 || file_ == nullptr) {
    taken_ += taken;
    return taken;
  }
  const int done = gzread(file_, target, static_cast<unsigned>(size));
  if (done > 0) return done;
  int error = Z_OK;
  const char* text = gzerror(file_, &error);
  if (done == 0 && error == Z_OK) return 0;
  if (error == Z_BUF_ERROR) throw DamagedFile(concat(path_, ": ends in the middle; it was cut, get it again."));
  if (error == Z_ERRNO) throw StorageError(concat(path_, ": cannot be read: ", text, "."));
  throw DamagedFile(concat(path_, ": is damaged (", text, "); get it again."));
}

std::string ByteStream::take(std::size_t size) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  std::string bytes;
  bytes.reserve(size);
  for (std::size_t got = 1; got > 0 && bytes.size() < size;) {
    const std::size_t before = bytes.size(), most = std::min(kPiece, size - before);
    bytes.resize(before + most);
    got = read(bytes.data() + before, most);
    bytes.resize(before + got);
  }
  return bytes;
}

}  // namespace fovea::datasets::text
