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
inline fovea::Figure figure_of(fovea::FigureKind kind, std::vector<std::string> variables, std::string x,
                               std::string y = "", std::string hue = "") {
  fovea::Figure figure;
  figure.kind = kind;
  static int number = 0;
  figure.name = "figure" + std::to_string(++number);
  figure.title = "Title";
  figure.variables = std::move(variables);
  figure.x = std::move(x);
  figure.y = std::move(y);
  figure.hue = std::move(hue);
  return figure;
}
