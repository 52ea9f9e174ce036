#pragma once
/// Text for a terminal: sentences as wide as it is, and columns under their headings. Widths count letters, not bytes.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// Letters, not bytes, of UTF-8.
std::size_t letters(std::string_view text);

/// Lines of at most `width` letters, broken at blanks; those behind the first begin with `indent` blanks. A longer word
/// has a line of its own.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// The text with the end of its line: wrapped, or with width 0 in one line, which a program can read.
std::string in_lines(const std::string& text, std::size_t width, std::size_t indent = 0);

/// Rows of cells as columns two blanks apart, each row a line that begins with two blanks; cells from the column
/// `numbers` on are flush right. The first row is that of the headings.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::size_t numbers);

}  // namespace fovea
