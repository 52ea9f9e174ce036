#include "fovea/tests/support/mutation.hpp"

#include <zlib.h>

#include <algorithm>
#include <random>

namespace fovea::support {

namespace {

class Mutation {
 public:
  Mutation(std::string_view other, std::span<const std::string_view> tokens, std::uint64_t seed)
      : other_(other), tokens_(tokens), draw_(seed) {}

  void change(std::string& bytes) {
    const std::size_t place = below(bytes.size() + 1),
                      span = below(std::min<std::size_t>(bytes.size() - place, 64) + 1);
    switch (below(10)) {
      case 0:
        return flip(bytes, place);
      case 1:
        return set(bytes, place);
      case 2:
        return bytes.resize(place);
      case 3:
        return void(bytes.erase(place, span));
      case 4:
        return void(bytes.insert(below(bytes.size() + 1), bytes.substr(place, span)));
      case 5:
        return repeat(bytes, place, std::min<std::size_t>(span, 8));
      case 6:
        return splice(bytes, place, span);
      case 7:
        return void(bytes.replace(place, span, std::string(span, static_cast<char>(below(256)))));
      case 8:
        return void(bytes.replace(place, std::min<std::size_t>(span, 8), token()));
      default:
        return void(bytes.insert(place, token()));
    }
  }
  std::size_t below(std::size_t bound) { return draw_() % bound; }

 private:
  std::string_view token() { return tokens_[below(tokens_.size())]; }
  void flip(std::string& bytes, std::size_t place) {
    if (place < bytes.size()) bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
  }
  void set(std::string& bytes, std::size_t place) {
    if (place < bytes.size()) bytes[place] = static_cast<char>(below(256));
  }
  void repeat(std::string& bytes, std::size_t place, std::size_t span) {
    const std::string piece = bytes.substr(place, span);
    std::string many;
    for (std::size_t left = below(200); left > 0; --left) many += piece;
    bytes.insert(place, many);
  }
  void splice(std::string& bytes, std::size_t place, std::size_t span) {
    const std::size_t from = below(other_.size() + 1);
    bytes.replace(place, below(2) == 0 ? span : std::string::npos, other_.substr(from, below(200)));
  }

  std::string_view other_;
  std::span<const std::string_view> tokens_;
  std::mt19937_64 draw_;
};

}  // namespace

std::string mutated(std::string bytes, std::string_view other, std::span<const std::string_view> tokens,
                    std::uint64_t seed) {
  Mutation mutation(other, tokens, seed);
  for (std::size_t changes = 1 + mutation.below(4) * mutation.below(2); changes > 0; --changes) mutation.change(bytes);
  return bytes;
}

std::uint64_t mutant_setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string gzip_packed(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);  // 16: a gzip header
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace fovea::support
