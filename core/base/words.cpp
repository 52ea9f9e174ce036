#include "fovea/core/base/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

std::string printed(const char* format, int digits, double value) {
  const int length = std::snprintf(nullptr, 0, format, digits, value);
  std::string text(std::max(length, 0), '\0');
  std::snprintf(text.data(), text.size() + 1, format, digits, value);
  return text;
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
  for (const char c : number) text += c == '-' ? "\xE2\x81\xBB" : kRaised[c - '0'];
  return text;
}

/// Times ten to the power.
std::string power_of_ten(int exponent) {
  return "\xC3\x97"
         "10" +
         raised(std::to_string(exponent));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int exponent_of(double value) { return value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)))); }

bool needs_power(double value) { return value != 0 && (std::abs(value) < 1e-4 || std::abs(value) >= 1e6); }

std::string special(double value) {
  if (std::isnan(value)) return "no value";
  return value > 0 ? "\xE2\x88\x9E" : "\xE2\x88\x92\xE2\x88\x9E";
}

}  // namespace

std::string plain_text(double value, int digits) { return printed("%.*g", digits, value); }

std::string rounded_text(double value, int digits) {
  if (!std::isfinite(value)) return special(value);
  if (value == std::round(value) && !needs_power(value)) return with_minus_sign(printed("%.*f", 0, value + 0.0));
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

std::string fixed_text(double value, int decimals) {
  return std::isfinite(value) ? with_minus_sign(printed("%.*f", decimals, value)) : special(value);
}

std::string text_with_error(double value, double error) {
  constexpr double kRounding = 1e-12;  // of equal values, whose mean is rounded
  if (!std::isfinite(value) || !(error > kRounding * std::abs(value)) || !std::isfinite(error))
    return rounded_text(value);
  const int power = needs_power(std::max(std::abs(value), error)) ? exponent_of(std::max(std::abs(value), error)) : 0;
  const double scale = std::pow(10.0, power);
  const int decimals = std::clamp(1 - exponent_of(error / scale), 0, 12);
  const std::string text = with_minus_sign(printed("%.*f", decimals, value / scale)) + " \xC2\xB1 " +
                           printed("%.*f", decimals, error / scale);
  return power == 0 ? text : "(" + text + ")" + power_of_ten(power);
}

std::string concise_with_error(double value, double error) {
  if (!(error > 0) || !std::isfinite(error) || !std::isfinite(value)) return plain_text(value);
  int place = static_cast<int>(std::floor(std::log10(error)));
  if (std::round(error / std::pow(10.0, place)) < 2) --place;
  const int digits = std::max(0, -place);
  const double unit = std::pow(10.0, -digits);
  return concat(printed("%.*f", digits, value), "(", std::ceil(error / unit - 1e-9), ")");
}

std::string counted(std::int64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1 || plural.empty()) return concat(count, ' ', noun, count == 1 ? "" : "s");
  return concat(count, ' ', plural);
}

std::string compact(double value, int decimals) {
  return std::isfinite(value) ? without_trailing_zeros(printed("%.*f", decimals, value)) : "0";
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

}  // namespace fovea
