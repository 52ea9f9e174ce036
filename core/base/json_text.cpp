#include "fovea/core/base/json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace fovea {

namespace {

/// Length of the UTF-8 letter that starts here, 0 if there is none.
std::size_t letter_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (length == 0 || byte(0) > 0xf4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  const unsigned second = length > 2 ? byte(1) : 0;
  const bool overlong = (byte(0) == 0xe0 && second < 0xa0) || (byte(0) == 0xf0 && second < 0x90);
  const bool outside = (byte(0) == 0xed && second > 0x9f) || (byte(0) == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

std::string escaped(char letter) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(letter);
  if (letter == '"' || letter == '\\') return {'\\', letter};
  if (letter == '\n') return "\\n";
  if (byte < 0x20 || byte == 0x7f) return {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
  return {letter};
}

}  // namespace

Json json(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = letter_length(text);
    if (length == 0) quoted += "\\ufffd";
    if (length == 1) quoted += escaped(text[0]);
    if (length > 1) quoted += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return {quoted + '"'};
}

Json json(bool value) { return {value ? "true" : "false"}; }

Json json(double value) {
  if (std::isnan(value)) return {"null"};  // a text in place of a number would not be one for who reads it
  if (std::isinf(value)) return {value > 0 ? "\"inf\"" : "\"-inf\""};
  std::array<char, 32> digits{};
  return {{digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr}};
}

Json json_list(const std::vector<Json>& items) {
  std::string text = "[";
  for (const Json& item : items) text += (text.size() > 1 ? ", " : "") + item.text;
  return {text + "]"};
}

}  // namespace fovea
