#include "fovea/datasets/text/gzip.hpp"

#include <zlib.h>

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

}  // namespace fovea::datasets::text
