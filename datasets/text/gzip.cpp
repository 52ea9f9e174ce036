#include "fovea/datasets/text/gzip.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <memory>
#include <new>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

std::string gzipped(std::string_view text) {
  constexpr int kGzip = 16, kMemory = 8;  // 16: with gzip's header, in which no time stands
  z_stream stream{};
  require(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY) == Z_OK,
          "gzipped: zlib cannot begin.");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int end = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  require(end == Z_STREAM_END, "gzipped: zlib cannot pack ", text.size(), " bytes.");
  return packed;
}

std::string fast_packed(std::string_view bytes, bool gzip) {
  constexpr int kLevel = 6;
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(kLevel));
  if (!compressor) throw std::bad_alloc();
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  std::string packed(bound(compressor.get(), bytes.size()), '\0');
  packed.resize(compress(compressor.get(), bytes.data(), bytes.size(), packed.data(), packed.size()));
  return packed;
}

}  // namespace fovea::datasets::text
