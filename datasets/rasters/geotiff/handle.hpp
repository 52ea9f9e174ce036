#pragma once
/// libtiff with bytes that are ours: errors caught for each file, allocations limited. Internal to datasets/rasters.

#include <tiffio.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fovea::datasets::rasters::geotiff {

/// What libtiff reads from and writes to.
class TiffStream {
 public:
  virtual ~TiffStream() = default;
  virtual std::int64_t read(void* bytes, std::uint64_t count) = 0;  ///< -1: refused
  virtual std::int64_t write(const void* bytes, std::uint64_t count) = 0;
  virtual std::uint64_t size() = 0;
  std::uint64_t position = 0;
};

/// An open TIFF. Nothing is printed; the last error waits in error().
class TiffHandle {
 public:
  /// mode: as libtiff has it. tiff() is nullptr if it cannot be opened.
  TiffHandle(TiffStream& stream, const std::string& path, const char* mode, std::int64_t largest_allocation);
  ~TiffHandle();
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;

  TIFF* tiff() const { return tiff_; }
  const std::string& error() const { return error_; }
  void close();  ///< writes what is left

 private:
  static int take_error(TIFF*, void* self, const char*, const char* format, va_list arguments);
  static int pass_over(TIFF*, void*, const char*, const char*, va_list) { return 1; }

  std::string error_;
  TIFF* tiff_ = nullptr;
};

}  // namespace fovea::datasets::rasters::geotiff
