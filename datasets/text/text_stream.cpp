#include "fovea/datasets/text/text_stream.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

void append_utf8(unsigned point, std::string& text) {
  const auto put = [&](unsigned byte) { text += static_cast<char>(byte); };
  const auto rest = [&](unsigned shift) { put(0x80U | ((point >> shift) & 0x3FU)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | (point >> 6));
  } else {
    if (point < 0x10000) {
      put(0xE0U | (point >> 12));
    } else {
      put(0xF0U | (point >> 18));
      rest(12);
    }
    rest(6);
  }
  rest(0);
}

std::optional<ByteOrder> utf16_order(std::string_view beginning) {
  if (beginning.starts_with("\xFF\xFE")) return ByteOrder::little;
  if (beginning.starts_with("\xFE\xFF")) return ByteOrder::big;
  return std::nullopt;
}

bool Utf16Decoder::add(std::string_view bytes, std::string& text) {
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (!half_) {
      half_ = byte;
      continue;
    }
    const unsigned unit = order_ == ByteOrder::little ? *half_ | (unsigned{byte} << 8) : (unsigned{*half_} << 8) | byte;
    half_.reset();
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (is_low != (high_ != 0)) return false;
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_ = unit;
      continue;
    }
    append_utf8(is_low ? 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00) : unit, text);
    high_ = 0;
  }
  return true;
}

std::size_t TextStream::take(char* target, std::size_t size) {
  const std::size_t taken = ready_.copy(target, size, taken_);
  taken_ += taken;
  return taken;
}

void TextStream::look_at_mark() {
  begun_ = true;
  constexpr std::size_t kMark = 2;
  ready_.resize(kMark);
  std::size_t there = 0;
  for (std::size_t done = 1; done > 0 && there < kMark; there += done)
    done = bytes_.read(ready_.data() + there, kMark - there);
  ready_.resize(there);
  if (const auto order = utf16_order(ready_)) {
    decoder_.emplace(*order);
    ready_.clear();
  }
}

void TextStream::decode_more() {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string piece(kPiece, '\0');
  ready_.clear();
  taken_ = 0;
  while (ready_.empty()) {
    const std::size_t done = bytes_.read(piece.data(), piece.size());
    if (done == 0 && !decoder_->inside_letter()) return;
    if (done == 0 || !decoder_->add({piece.data(), done}, ready_))
      throw DataError(concat(path_, ": is damaged UTF-16 text, half of a letter is missing; save it as UTF-8."));
  }
}

std::size_t TextStream::read(char* target, std::size_t size) {
  if (!begun_) look_at_mark();
  if (decoder_ && taken_ == ready_.size()) decode_more();
  const std::size_t taken = take(target, size);
  return decoder_ || taken == size ? taken : taken + bytes_.read(target + taken, size - taken);
}

}  // namespace fovea::datasets::text
