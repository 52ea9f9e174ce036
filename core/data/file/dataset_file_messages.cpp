#include "fovea/core/data/file/dataset_file_messages.hpp"

#include <cstring>
#include <limits>

#include "fovea/core/data/dataset_bytes.hpp"

namespace fovea {
namespace {

constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);  // letter and length

void say_head(MessageKind kind, std::uint64_t size, const TakeBytes& take) {
  char head[kHead];
  head[0] = static_cast<char>(kind);
  std::memcpy(head + 1, &size, sizeof size);
  take({head, kHead});
}

void say(MessageKind kind, std::string_view text, const TakeBytes& take) {
  say_head(kind, text.size(), take);
  take(text);
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  std::memcpy(&number, text.data(), sizeof number);
  return number;
}

}  // namespace

void say_size(std::uint64_t bytes, const TakeBytes& take) {
  say(MessageKind::holds, {reinterpret_cast<const char*>(&bytes), sizeof bytes}, take);
}

void say_file(const DecodedFile& file, const TakeBytes& take) {
  say(MessageKind::stated, file.content_hash, take);
  std::uint64_t size = 0;
  write_canonical(file.data, [&](std::string_view bytes) { size += bytes.size(); });
  say_head(MessageKind::data, size, take);
  write_canonical(file.data, take);
}

void say_refusal(std::string_view sentence, const TakeBytes& take) { say(MessageKind::refused, sentence, take); }

void Inbox::add(std::string_view piece) {
  text_.append(piece);
  while (text_.size() - next_ >= kHead) {
    const std::string_view rest = std::string_view(text_).substr(next_);
    const std::size_t size = number_at(rest.substr(1));
    if (size > rest.size() - kHead) return;
    take({static_cast<MessageKind>(rest.front()), next_ + kHead, size});
    next_ += kHead + size;
  }
}

void Inbox::take(const Message& message) {
  messages_.push_back(message);
  if (message.kind != MessageKind::holds || message.size != sizeof held_) return;
  const std::uint64_t more = number_at(text(message));
  held_ = more > std::numeric_limits<std::uint64_t>::max() - held_ ? std::numeric_limits<std::uint64_t>::max()
                                                                   : held_ + more;
}

}  // namespace fovea
