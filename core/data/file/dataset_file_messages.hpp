#pragma once
/// What a child that reads files says to its parent (dataset_file_child.hpp): messages, one after the other, each a
/// letter, the length of its text (uint64, little-endian) and the text. The parent believes no length it has not got.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/data/file/dataset_file_codec.hpp"

namespace fovea {

enum class MessageKind : char {
  holds = 'h',    ///< the bytes that a file's arrays will take: a uint64
  stated = 's',   ///< the content hash that stands in a file
  data = 'd',     ///< its data set in canonical bytes: the file is done
  refused = 'r',  ///< the text of a DataError: the last message
};

using TakeBytes = std::function<void(std::string_view)>;

void say_size(std::uint64_t bytes, const TakeBytes& take);
void say_file(const DecodedFile& file, const TakeBytes& take);  ///< large arrays are not copied
void say_refusal(std::string_view sentence, const TakeBytes& take);

/// Collects what comes through the pipe in pieces of any size.
class Inbox {
 public:
  struct Message {
    MessageKind kind{};
    std::size_t start = 0, size = 0;
  };

  void add(std::string_view piece);
  const std::vector<Message>& messages() const { return messages_; }  ///< those that are whole
  std::string_view text(const Message& message) const {
    return std::string_view(text_).substr(message.start, message.size);
  }
  std::uint64_t held() const {
    return held_;
  }  ///< the sum of all MessageKind::holds so far; the largest number at most

 private:
  void take(const Message& message);

  std::string text_;
  std::size_t next_ = 0;  ///< where the first message that is not whole begins
  std::vector<Message> messages_;
  std::uint64_t held_ = 0;
};

}  // namespace fovea
