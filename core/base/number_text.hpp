#pragma once
/// Numbers as text and nothing lost: the shortest form that reads back to the same bits.

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

namespace fovea {

/// "0.1", "1e-300", "NaN", "inf", "-inf"; whole numbers as they are.
template <typename Number>
std::string number_text(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  }
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

inline std::string number_text(const std::string& text) { return text; }

}  // namespace fovea
