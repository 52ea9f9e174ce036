#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "fovea/datasets/rasters/cf_stack.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr double kDay = 86400;
const std::map<std::string, double> kSeconds{
    {"second", 1},         {"sec", 1},     {"s", 1},     {"minute", 60},        {"min", 60},
    {"hour", 3600},        {"hr", 3600},   {"h", 3600},  {"day", kDay},         {"d", kDay},
    {"millisecond", 1e-3}, {"msec", 1e-3}, {"ms", 1e-3}, {"microsecond", 1e-6}, {"us", 1e-6},
    {"nanosecond", 1e-9},  {"ns", 1e-9}};

/// Seconds of "days", "Hour", "s"; 0 for another word.
double seconds_of(std::string unit) {
  unit = datasets::text::lower_case(unit);
  auto found = kSeconds.find(unit);
  if (found == kSeconds.end() && unit.size() > 1 && unit.back() == 's')
    found = kSeconds.find(unit.substr(0, unit.size() - 1));
  return found == kSeconds.end() ? 0 : found->second;
}

/// What is left of a text is read from its beginning.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : left_(text) {}
  bool at_end() const { return left_.empty(); }
  bool take(char letter) {
    if (left_.empty() || left_.front() != letter) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  void skip_spaces() {
    while (take(' ')) continue;
  }
  /// Digits.
  std::optional<int> whole() {
    int number = 0;
    if (left_.empty() || std::isdigit(static_cast<unsigned char>(left_.front())) == 0) return std::nullopt;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc()) return std::nullopt;
    left_.remove_prefix(end - left_.data());
    return number;
  }
  /// Digits behind a point.
  double fraction() {
    double value = 0;
    for (double place = 0.1; !left_.empty() && std::isdigit(static_cast<unsigned char>(left_.front())) != 0;
         place /= 10)
      value += place * (left_.front() - '0'), left_.remove_prefix(1);
    return value;
  }

 private:
  std::string_view left_;
};

constexpr int kNoNumber = -1;  // TextReader reads whole numbers >= 0

/// Days since 1970-01-01 in the Gregorian calendar, or in the Julian one; Richards (2013), with months from March.
std::int64_t days_of(int year, int month, int day, bool julian) {
  const std::int64_t y = static_cast<std::int64_t>(year) - (month <= 2 ? 1 : 0), m = (month + 9) % 12;
  const std::int64_t floored = y >= 0 ? y / 4 : -((3 - y) / 4);
  std::int64_t days = 365 * y + floored + (153 * m + 2) / 5 + day - 1;
  if (julian) return days - 719470;
  const std::int64_t centuries = y >= 0 ? y / 100 : -((99 - y) / 100), fours = y >= 0 ? y / 400 : -((399 - y) / 400);
  return days - centuries + fours - 719468;
}

bool is_date(int year, int month, int day, bool julian) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year > 1'000'000 || month < 1 || month > 12 || day < 1) return false;
  const bool leap = year % 4 == 0 && (julian || year % 100 != 0 || year % 400 == 0);
  return day <= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

/// "10:53:28.5", as seconds; nothing if it is no time of day.
std::optional<double> time_of_day(TextReader& text) {
  const std::optional<int> hours = text.whole();
  if (!hours || *hours > 24) return std::nullopt;
  double seconds = 3600.0 * *hours;
  if (!text.take(':')) return seconds;
  const std::optional<int> minutes = text.whole();
  if (!minutes || *minutes > 59) return std::nullopt;
  seconds += 60.0 * *minutes;
  if (!text.take(':')) return seconds;
  const std::optional<int> whole = text.whole();
  if (!whole || *whole > 60) return std::nullopt;
  seconds += *whole;
  return text.take('.') ? seconds + text.fraction() : seconds;
}

/// Seconds by which a zone is ahead: "", "Z", "UTC", "+01:00", "-6", "+0530".
std::optional<double> zone(TextReader& text) {
  text.skip_spaces();
  for (const char* word : {"Z", "UTC", "GMT", "utc"})
    if (text.take_word(word)) break;
  const bool ahead = text.take('+'), behind = !ahead && text.take('-');
  if (!ahead && !behind) return 0.0;
  const std::optional<int> first = text.whole();
  if (!first) return std::nullopt;
  int hours = *first, minutes = 0;
  if (hours >= 100)
    minutes = hours % 100, hours /= 100;
  else if (text.take(':'))
    minutes = text.whole().value_or(60);
  if (hours > 18 || minutes > 59) return std::nullopt;
  return (ahead ? 60.0 : -60.0) * (60 * hours + minutes);
}

}  // namespace

std::optional<CfTime> cf_time(const std::string& units, const std::string& calendar) {
  static const std::set<std::string> kMixed{"", "standard", "gregorian"};
  const std::size_t since = units.find(" since ");
  if (since == std::string::npos || !(kMixed.contains(calendar) || calendar == "proleptic_gregorian"))
    return std::nullopt;
  const double unit = seconds_of(units.substr(0, since));
  TextReader text(std::string_view(units).substr(since + 7));
  text.skip_spaces();
  const int year = text.whole().value_or(kNoNumber);
  const int month = text.take('-') ? text.whole().value_or(kNoNumber) : kNoNumber;
  const int day = text.take('-') ? text.whole().value_or(kNoNumber) : kNoNumber;
  if (unit == 0 || year == kNoNumber) return std::nullopt;
  const bool julian =
      kMixed.contains(calendar) && (year < 1582 || (year == 1582 && (month < 10 || (month == 10 && day < 15))));
  if (!is_date(year, month, day, julian)) return std::nullopt;
  double seconds = kDay * static_cast<double>(days_of(year, month, day, julian));
  const bool letter = text.take('T');
  text.skip_spaces();
  TextReader before = text;
  if (const std::optional<double> clock = time_of_day(text))
    seconds += *clock;
  else if (letter || before.whole())
    return std::nullopt;
  const std::optional<double> ahead = zone(text);
  text.skip_spaces();
  if (!ahead || !text.at_end()) return std::nullopt;
  return CfTime{unit, seconds - *ahead};
}

}  // namespace fovea::datasets::rasters
