#include "fovea/datasets/text/byte_stream.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::text {

namespace {

constexpr unsigned kStreamBuffer = 1U << 18;

}  // namespace

ByteStream::ByteStream(const std::string& path) : path_(path) {
  struct stat info {};
  const bool is_there = ::stat(path.c_str(), &info) == 0;
  if (is_there && S_ISDIR(info.st_mode)) errno = EISDIR;
  file_ = is_there && !S_ISDIR(info.st_mode) ? gzopen(path.c_str(), "rb") : nullptr;
  if (file_ == nullptr) refuse_input(path, errno);
  gzbuffer(file_, kStreamBuffer);
  bytes_.resize(kTellingBytes);
  const int front = gzread(file_, bytes_.data(), kTellingBytes);
  bytes_.resize(front > 0 ? static_cast<std::size_t>(front) : 0);
  if (const std::string foreign = foreign_format(bytes_, path); !foreign.empty()) {
    gzclose(file_);
    throw DataError(concat(path, ": ", foreign));
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

}  // namespace fovea::datasets::text
