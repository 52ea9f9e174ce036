#pragma once
/// A plain or packed file as a stream of bytes. Internal to datasets/.

#include <zlib.h>

#include <cstddef>
#include <string>

namespace fovea::datasets::text {

class ByteStream {
 public:
  /// Plain or packed by gzip, as its first bytes say. Throws StorageError if it cannot be opened, DataError if it is
  /// not there, for a name that ends in .gz where nothing is packed, and for a format that is no text
  /// (file_format.hpp).
  explicit ByteStream(const std::string& path);
  /// The rest of a file from byte `first` on, whatever it is.
  ByteStream(const std::string& path, std::size_t first);
  /// Bytes that are there; `name` stands for them.
  ByteStream(std::string name, std::string bytes) : path_(std::move(name)), bytes_(std::move(bytes)) {}
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// At most `size` bytes; 0 at the end. Throws DamagedFile for a packed file that was cut or is damaged, StorageError.
  std::size_t read(char* target, std::size_t size);

  /// Reads until there are `size` bytes or no more.
  std::string take(std::size_t size);

  /// Whether it is a file packed by gzip.
  bool is_packed() const { return file_ != nullptr && gzdirect(file_) == 0; }

 private:
  std::string path_;
  std::string bytes_;      // that are there; of a file its first ones
  std::size_t taken_ = 0;  // of them
  gzFile file_ = nullptr;  // nullptr: the bytes are all
};

}  // namespace fovea::datasets::text
