#include "fovea/core/report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

std::string printed(const char* format, int digits, double value) {
  std::array<char, 400> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), format, digits, value);
  return std::string(buffer.data(), static_cast<std::size_t>(std::max(length, 0)));
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, "\xE2\x88\x92");
  return text;
}

/// Digits and a minus sign as superscripts.
std::string raised(std::string_view number) {
  constexpr std::array<const char*, 10> kRaised{"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                                "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                                "\xE2\x81\xB8", "\xE2\x81\xB9"};
  std::string text;
  for (const char c : number) text += c == '-' ? "\xE2\x81\xBB" : kRaised[static_cast<std::size_t>(c - '0')];
  return text;
}

/// Times ten to the power.
std::string power_of_ten(int exponent) {
  return "\xC3\x97"
         "10" +
         raised(std::to_string(exponent));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

int exponent_of(double value) { return value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)))); }

bool needs_power(double value) { return value != 0 && (std::abs(value) < 1e-4 || std::abs(value) >= 1e6); }

std::string special(double value) {
  if (std::isnan(value)) return "no value";
  return value > 0 ? "\xE2\x88\x9E" : "\xE2\x88\x92\xE2\x88\x9E";
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

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return special(value);
  // Rounded first: 9.9999e-5 must not become "0.0001" by another road than 1e-4 does.
  const double rounded = std::strtod(printed("%.*e", digits - 1, value).c_str(), nullptr);
  const int exponent = exponent_of(rounded);
  if (needs_power(rounded)) {
    const std::string scientific = printed("%.*e", digits - 1, rounded);
    return with_minus_sign(without_trailing_zeros(scientific.substr(0, scientific.find('e')))) +
           power_of_ten(std::atoi(scientific.c_str() + scientific.find('e') + 1));
  }
  return with_minus_sign(without_trailing_zeros(printed("%.*f", std::max(digits - 1 - exponent, 0), rounded)));
}

std::string counted(std::int64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1 || plural.empty()) return concat(count, ' ', noun, count == 1 ? "" : "s");
  return concat(count, ' ', plural);
}

std::string fixed_text(double value, int decimals) {
  return std::isfinite(value) ? with_minus_sign(printed("%.*f", decimals, value)) : special(value);
}

std::string number_with_error(double value, double error) {
  if (!std::isfinite(value) || !(error > 0) || !std::isfinite(error)) return number_text(value);
  const int power = needs_power(std::max(std::abs(value), error)) ? exponent_of(std::max(std::abs(value), error)) : 0;
  const double scale = std::pow(10.0, power);
  const int decimals = std::clamp(1 - exponent_of(error / scale), 0, 12);
  const std::string text = with_minus_sign(printed("%.*f", decimals, value / scale)) + " \xC2\xB1 " +
                           printed("%.*f", decimals, error / scale);
  return power == 0 ? text : "(" + text + ")" + power_of_ten(power);
}

std::string compact(double value, int decimals) {
  return std::isfinite(value) ? without_trailing_zeros(printed("%.*f", decimals, value)) : "0";
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

std::string with_raised_powers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '^') {
      if (end < text.size() && text[end] == '-') ++end;
      while (end < text.size() && is_digit(text[end])) ++end;
    }
    const bool power = end > i + 1 && is_digit(text[end - 1]);
    out += power ? raised(text.substr(i + 1, end - i - 1)) : std::string(text.substr(i, end - i));
    i = end;
  }
  return out;
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
