#pragma once
/// What the tests of the page share: looking for texts, and figures to start from.

#include <string>
#include <utility>
#include <vector>

#include "fovea/core/data/results.hpp"

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Numbered, so that several can stand in one result.
inline fovea::Figure figure_of(const std::string& kind, std::vector<std::string> variables, std::string x,
                               std::string y = "", std::string hue = "") {
  static int number = 0;
  return {.kind = kind,
          .name = "figure" + std::to_string(++number),
          .title = "Title",
          .variables = std::move(variables),
          .x = std::move(x),
          .y = std::move(y),
          .hue = std::move(hue)};
}
