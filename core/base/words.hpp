#pragma once
/// Words made of numbers. Each function is for one kind of reader:
///
///   exact_text      programs: CSV, attributes, differences        0.1   1e-300   NaN   inf     nothing is lost
///   plain_text      sentences: verdicts, notes, errors            0.00897   1e-05   nan        a few digits, ASCII
///   rounded_text    pages and tables                              0.008968   5.9×10³⁰   −0.5   no value
///   fixed_text      columns and times                             99.8   −0.2                  so many decimals
///   text_with_error, concise_with_error                           0.008971 ± 0.000012, 0.00896(2)
///   counted         how many of something                         1 step, 3 steps
///   compact         coordinates of a drawing                      12.5   3   -0.25

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace fovea {

/// The shortest text that reads back to the same bits: "0.1", "1e-300", "NaN", "inf", "-inf"; whole numbers as they
/// are.
template <typename Number>
std::string exact_text(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  }
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}
inline std::string exact_text(const std::string& text) { return text; }

/// Up to `digits` significant digits in plain letters, as printf's %g: "0.00897", "4e+03", "nan". For sentences, which
/// are read in a terminal too and are part of a result's bytes.
std::string plain_text(double value, int digits = 3);

/// Up to `digits` significant digits as people write them: 0.008968, 5.9×10³⁰ (powers outside 1e-4 .. 1e6), with a true
/// minus sign; whole numbers below 1e6 as they are: 20001. NaN is "no value".
std::string rounded_text(double value, int digits = 4);

/// Exactly `decimals` decimals, with a true minus sign; NaN and infinity as rounded_text() has them.
std::string fixed_text(double value, int decimals);

/// value ± error, the error with two digits and the value with as many decimals: 0.008971 ± 0.000012. rounded_text() of
/// the value alone if there is no error (NaN, or not above 0).
std::string text_with_error(double value, double error);

/// The error in units of the value's last digit, one digit of it, two where the first is 1: 0.00896(2), 0.0090(12).
/// plain_text() of the value alone if there is no error (NaN, or not above 0) or no value.
std::string concise_with_error(double value, double error);

/// "1 step", "3 steps": how many of something there are. noun: in the singular; plural: where it takes more than an s.
std::string counted(std::int64_t count, std::string_view noun, std::string_view plural = {});

/// The shortest form with `decimals` decimals at most: 12.5, 3, -0.25. What is not finite is "0".
std::string compact(double value, int decimals = 2);

/// Powers as people write them: "opinion^2" is "opinion²", "s^-1" has a raised minus.
std::string with_raised_powers(std::string_view text);

}  // namespace fovea
