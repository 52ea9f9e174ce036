#include "fovea/core/base/lines.hpp"

#include <algorithm>

namespace fovea {

std::size_t letters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;  // letters of the line
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t stop = std::min(text.find(' ', text.find_first_not_of(' ', start)), text.size());
    std::string_view word = text.substr(start, stop - start);  // with the blanks before it
    if (used > indent && used + letters(word) > width) {
      lines += '\n' + std::string(indent, ' ');
      used = indent;
      word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    }
    lines += word;
    used += letters(word);
    start = stop;
  }
  return lines;
}

std::string in_lines(const std::string& text, std::size_t width, std::size_t indent) {
  return (width == 0 ? text : wrapped(text, width, indent)) + '\n';
}

std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::size_t numbers) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() <= c) widths.push_back(0);
      widths[c] = std::max(widths[c], letters(row[c]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string room(widths[c] - letters(row[c]), ' ');
      line += "  " + (c >= numbers ? room + row[c] : row[c] + room);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace fovea
