#pragma once
/// Text of the report: labels, and escaping, so that no data can break out of its element. base/words.hpp has numbers.

#include <string>
#include <string_view>

namespace fovea {

/// Safe in HTML and XML, in elements and in quoted attributes. Bytes that are not UTF-8 become U+FFFD, control
/// characters that XML forbids are dropped.
std::string escape_markup(std::string_view text);

/// What a variable is called in a drawing: its long name up to the first ',', ':' or ';' if that has 40 characters at
/// most, else its name with blanks for '_'. The long name is shown when one points at the label.
std::string label_text(std::string_view name, std::string_view long_name);

/// "label (units)"; units "1" and "" are not shown, nor units that are the label.
std::string axis_label(std::string_view label, std::string_view units);

/// At most `letters` characters (not bytes), the last one an ellipsis if something was cut off.
std::string clipped(std::string_view text, std::size_t letters);

/// A file name without folder and without characters that a file system or a shell minds; never empty.
std::string file_name_text(std::string_view name);

}  // namespace fovea
