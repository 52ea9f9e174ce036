#include "fovea/datasets/rasters/geotiff/handle.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace fovea::datasets::rasters::geotiff {

namespace {

TiffStream& stream_of(thandle_t handle) { return *static_cast<TiffStream*>(handle); }

tmsize_t read_stream(thandle_t handle, void* bytes, tmsize_t count) {
  return static_cast<tmsize_t>(stream_of(handle).read(bytes, static_cast<std::uint64_t>(count)));
}

tmsize_t write_stream(thandle_t handle, void* bytes, tmsize_t count) {
  return static_cast<tmsize_t>(stream_of(handle).write(bytes, static_cast<std::uint64_t>(count)));
}

toff_t seek_stream(thandle_t handle, toff_t offset, int from) {
  TiffStream& stream = stream_of(handle);
  if (from == SEEK_SET) stream.position = offset;
  if (from == SEEK_CUR) stream.position += offset;
  if (from == SEEK_END) stream.position = stream.size() + offset;
  return stream.position;
}

int close_stream(thandle_t) { return 0; }
toff_t size_of_stream(thandle_t handle) { return stream_of(handle).size(); }

}  // namespace

int TiffHandle::take_error(TIFF*, void* self, const char*, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  std::string& error = static_cast<TiffHandle*>(self)->error_;
  error = text.data();
  for (char& letter : error)
    if (static_cast<unsigned char>(letter) < ' ' || static_cast<unsigned char>(letter) > '~') letter = '?';
  while (!error.empty() && error.back() == '.') error.pop_back();
  return 1;
}

TiffHandle::TiffHandle(TiffStream& stream, const std::string& path, const char* mode, std::int64_t largest_allocation) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (options == nullptr) return;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, static_cast<tmsize_t>(largest_allocation));
  TIFFOpenOptionsSetErrorHandlerExtR(options, &TiffHandle::take_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, &TiffHandle::pass_over, this);
  tiff_ = TIFFClientOpenExt(path.c_str(), mode, &stream, read_stream, write_stream, seek_stream, close_stream,
                            size_of_stream, nullptr, nullptr, options);
  TIFFOpenOptionsFree(options);
}

TiffHandle::~TiffHandle() {
  if (tiff_ != nullptr) TIFFCleanup(tiff_);  // what was not written is given up
}

void TiffHandle::close() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
  tiff_ = nullptr;
}

}  // namespace fovea::datasets::rasters::geotiff
