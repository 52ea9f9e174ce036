#include "fovea/datasets/events/cells.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"

namespace fovea::datasets::events {

namespace {

/// "-12.75" with at most 15 digits: a whole number and a power of ten, both exact in a double, so the quotient is the
/// nearest double, as from_chars() has it, in a third of its time.
bool short_number(std::string_view digits, double& value) {
  constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 15) return false;
  std::int64_t whole = 0;
  std::size_t point = digits.size();
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const auto digit = static_cast<unsigned>(digits[k] - '0');
    if (digit <= 9) {
      whole = 10 * whole + digit;
    } else if (digits[k] == '.' && point == digits.size() && digits.size() > 1) {
      point = k;
    } else {
      return false;
    }
  }
  const std::size_t decimals = digits.size() - point - (point < digits.size() ? 1 : 0);
  value = decimals == 0 ? static_cast<double>(whole) : static_cast<double>(whole) / kPowers[decimals];
  if (negative) value = -value;
  return true;
}

std::optional<double> plain_number(std::string_view digits) {
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// "2023-12-31...": dates of other orders are not guessed at.
bool begins_as_iso_date(std::string_view cell) {
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return cell.size() >= 10 && std::all_of(cell.begin(), cell.begin() + 4, is_digit) && cell[4] == '-' && cell[7] == '-';
}

}  // namespace

std::optional<double> number_of(std::string_view cell, bool decimal_comma) {
  if (double value = 0; short_number(cell, value)) return value;
  std::string_view digits = text::trimmed(cell);
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::optional<double> value = plain_number(digits);
  const std::size_t comma = value || !decimal_comma ? std::string_view::npos : digits.find(',');
  if (comma != std::string_view::npos) {
    std::string with_point(digits);
    with_point[comma] = '.';
    value = plain_number(with_point);
  }
  return value && std::isfinite(*value) ? value : std::nullopt;
}

namespace {

[[noreturn]] void refuse_number(const text::CsvReader& reader, std::size_t column, double number,
                                const EventOptions& options) {
  const std::string cell = concat("'", text::shown_text(reader.text(column)), "' is a number, but of what? ");
  const std::string seconds = option_text(options, "time_unit", "seconds");
  if (is_clock_time(number))
    reader.refuse(column, concat(cell, "Of seconds since 1970? Then say ", seconds, ' ',
                                 option_text(options, "origin", "'first event'"), "."));
  if (is_clock_time(number / 1000))
    reader.refuse(column, concat(cell, "Of milliseconds since 1970? Divide them by 1000, and say ", seconds, ' ',
                                 option_text(options, "origin", "'first event'"), "."));
  reader.refuse(column, concat(cell, "Say ", seconds, ", minutes, hours or days, or call the column time_minutes, ",
                               "time_hours or time_days."));
}

/// "<0.1", "< 0.1", "<=0.1", "≤0.1": -1 and the number; ">200" and its like: 1; nothing for other texts.
std::optional<EventValue> limit_of(std::string_view cell, bool decimal_comma) {
  constexpr std::string_view kBelow[] = {"<=", "\xE2\x89\xA4", "<"}, kAbove[] = {">=", "\xE2\x89\xA5", ">"};
  const std::string_view word = text::trimmed(cell);
  const auto behind = [&](const auto& signs) -> std::optional<double> {
    for (const std::string_view sign : signs)
      if (word.starts_with(sign)) return number_of(word.substr(sign.size()), decimal_comma);
    return std::nullopt;
  };
  if (const auto limit = behind(kBelow); limit && *limit >= 0) return EventValue{*limit / 2, -1};
  if (const auto limit = behind(kAbove)) return EventValue{*limit, 1};
  return std::nullopt;
}

}  // namespace

EventValue event_value(const text::CsvReader& reader, std::size_t column, bool decimal_comma) {
  const std::string_view cell = reader.text(column);
  if (double value = 0; short_number(cell, value)) return {value};
  if (const auto value = number_of(cell, decimal_comma)) return {*value};
  if (series::is_missing(cell)) return {};
  if (const auto limit = limit_of(cell, decimal_comma)) return *limit;
  const std::string_view word = text::trimmed(cell);
  const char* hint = "; a value is a number, or empty where something happened without one.";
  if (!decimal_comma && series::is_decimal_comma(word)) hint = "; write a decimal point.";
  if (word.starts_with('<')) hint = "; half of such a limit would be above it. Give a number.";
  reader.refuse(column, concat("'", text::shown_text(cell), "' is not a number", hint));
}

EventTime event_time(const text::CsvReader& reader, std::size_t column, TimeUnit unit, bool decimal_comma,
                     const EventOptions& options) {
  const std::string_view cell = reader.text(column);
  if (const auto number = number_of(cell, decimal_comma)) {
    if (unit == TimeUnit::unknown) refuse_number(reader, column, *number, options);
    return {EventTime::Kind::hours, in_hours(*number, unit)};
  }
  constexpr std::size_t kBehindDate = 11;
  const std::string_view word = text::trimmed(cell);
  if (unit == TimeUnit::unknown && begins_as_iso_date(word))
    if (const auto days = series::date_of(word)) {
      const bool has_zone = word.size() > kBehindDate && word.find_first_of("Z+-", kBehindDate) != word.npos;
      // to the millisecond, which a double holds
      return {EventTime::Kind::date, std::round(*days * 86400e3) / 1e3, has_zone};
    }
  if (series::is_missing(cell)) return {};
  reader.refuse(column, concat("'", text::shown_text(cell), "' is no ",
                               unit == TimeUnit::unknown ? "date of ISO 8601, such as 2023-12-31 07:30:00"
                                                         : "number, but the column's name gives times a unit",
                               "; empty is the time of a static."));
}

bool is_clock_time(double seconds) { return seconds >= 978307200 && seconds < 4102444800; }

std::optional<double> clock_hours(std::string_view cell) {
  cell = text::trimmed(cell);
  const std::size_t colon = cell.find(':');
  unsigned hours = 0, minutes = 0;
  if (colon == std::string_view::npos || colon == 0 || colon > 4 || cell.size() != colon + 3) return std::nullopt;
  const auto whole = [](std::string_view digits, unsigned& value) {
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && stop == digits.data() + digits.size();
  };
  if (!whole(cell.substr(0, colon), hours) || !whole(cell.substr(colon + 1), minutes) || minutes > 59)
    return std::nullopt;
  return in_hours(60.0 * hours + minutes, TimeUnit::minutes);
}

std::string_view bare(std::string_view cell) {
  return cell.empty() || (cell.front() > ' ' && cell.back() > ' ') ? cell : text::trimmed(cell);
}

std::string CsvPlace::text() const { return concat(path_, ":row ", reader_.row()); }

}  // namespace fovea::datasets::events
