#pragma once
/// Text of the report: numbers as people write them, and escaping, so that no data can break out of its element.

#include <cstdint>
#include <string>
#include <string_view>

namespace fovea {

/// Safe in HTML and XML, in elements and in quoted attributes. Bytes that are not UTF-8 become U+FFFD, control
/// characters that XML forbids are dropped.
std::string escape_markup(std::string_view text);

/// A number with up to `digits` significant digits: 0.008968, 1234, 5.9×10³⁰ (powers outside 1e-4 .. 1e6).
/// NaN is "no value".
std::string number_text(double value, int digits = 4);

/// "1 step", "3 steps": how many of something there are. noun: in the singular; plural: where it takes more than an s.
std::string counted(std::int64_t count, std::string_view noun, std::string_view plural = {});

/// A number with exactly `decimals` decimals.
std::string fixed_text(double value, int decimals);

/// value ± error, the error with two digits and the value with as many decimals: 0.008971 ± 0.000012. The value alone
/// if there is no error (NaN, or not above 0).
std::string number_with_error(double value, double error);

/// A number in the shortest form with `decimals` decimals at most, for coordinates of a drawing: 12.5, 3, -0.25.
std::string compact(double value, int decimals = 2);

/// What a variable is called in a drawing: its long name up to the first ',', ':' or ';' if that has 40 characters at
/// most, else its name with blanks for '_'. The long name is shown when one points at the label.
std::string label_text(std::string_view name, std::string_view long_name);

/// Powers as people write them: "opinion^2" is "opinion²", "s^-1" has a raised minus.
std::string with_raised_powers(std::string_view text);

/// "label (units)"; units "1" and "" are not shown, nor units that are the label.
std::string axis_label(std::string_view label, std::string_view units);

/// At most `letters` characters (not bytes), the last one an ellipsis if something was cut off.
std::string clipped(std::string_view text, std::size_t letters);

/// A file name without folder and without characters that a file system or a shell minds; never empty.
std::string file_name_text(std::string_view name);

}  // namespace fovea
