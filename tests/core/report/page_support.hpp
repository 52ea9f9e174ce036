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

/// Empty if the text is one well-formed element (no comments, no declarations), else what is wrong.
inline std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  bool rooted = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      if (end == std::string::npos || end - i > 6) return "bare & at " + std::to_string(i);
    }
    if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n' && text[i] != '\t') return "control character";
    if (text[i] != '<') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    for (char quote = 0; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      if (text[end] == '<') return "< inside a tag at " + std::to_string(end);
      if (text[end] == '"') quote = quote == 0 ? '"' : '\0';
    }
    const std::string tag = text.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "wrong end " + tag;
      open.pop_back();
    } else if (open.empty() && rooted) {
      return "a second root " + name;
    } else if (tag.back() != '/') {
      open.push_back(name);
      rooted = true;
    }
    i = end + 1;
  }
  return open.empty() ? "" : "open " + open.back();
}

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
