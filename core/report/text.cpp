#include "fovea/core/report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the well-formed UTF-8 sequence at the start of the text, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : (lead >> 5) == 6 ? 2 : (lead >> 4) == 14 ? 3 : (lead >> 3) == 30 ? 4 : 0;
  if (length < 2) return length;
  std::uint32_t point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) >> 6) != 2) return 0;
    point = (point << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  const bool forbidden = point > 0x10FFFF || point == 0xFFFE || point == 0xFFFF;
  return point < kSmallest[length] || surrogate || forbidden ? 0 : length;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::size_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text.front();
    if (length == 0) {
      out += kReplacement;
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (!entity(c).empty()) {
      out += entity(c);
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string label_text(std::string_view name, std::string_view long_name) {
  constexpr std::size_t kLongest = 40;
  std::string_view head = long_name.substr(0, std::min(long_name.find_first_of(",:;"), long_name.size()));
  while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
  if (!head.empty() && characters(head) <= kLongest) return std::string(head);
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string axis_label(std::string_view label, std::string_view units) {
  std::string text(label);
  if (!units.empty() && units != "1" && units != label) text += " (" + std::string(units) + ")";
  return text;
}

std::string clipped(std::string_view text, std::size_t letters) {
  std::size_t count = 0, cut = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    if (count + 1 == letters) cut = i;
    if (count == letters) return std::string(text.substr(0, cut)) + "\xE2\x80\xA6";
    i += std::max<std::size_t>(sequence_length(text.substr(i)), 1);
  }
  return std::string(text);
}

std::string file_name_text(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    text += plain ? c : '_';
  }
  text.erase(0, std::min(text.find_first_not_of('.'), text.size()));
  return text.empty() ? "figure" : text.substr(0, 100);
}

}  // namespace fovea
