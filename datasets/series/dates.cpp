#include "fovea/datasets/series/dates.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "fovea/datasets/series/times.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::series {

namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr double kDaySeconds = 86400;
constexpr double kRounding = 0.5 / 86400;  // of a day: dates are good to a second
constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays{"monday", "tuesday",  "wednesday", "thursday",
                                                    "friday", "saturday", "sunday"};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }
char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

/// Takes words and numbers off the front of a text.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : text_(text) {}
  bool at_end() const { return text_.empty(); }
  char front() const { return text_.empty() ? '\0' : text_[0]; }
  std::string_view rest() const { return text_; }

  /// The letter, if it is one of these.
  char take(std::string_view letters) {
    if (text_.empty() || letters.find(text_[0]) == std::string_view::npos) return '\0';
    const char letter = text_[0];
    text_.remove_prefix(1);
    return letter;
  }
  void skip_blanks() {
    while (take(" ") != '\0') {
    }
  }

  std::string_view letters() {
    std::size_t count = 0;
    while (count < text_.size() && is_letter(text_[count])) ++count;
    const std::string_view word = text_.substr(0, count);
    text_.remove_prefix(count);
    return word;
  }
  void skip_zone_name() {
    if (front() == '[' && text_.back() == ']') text_ = {};
  }

  /// A number of so many digits, and no more of them behind it.
  std::optional<int> number(std::size_t fewest, std::size_t most) {
    std::size_t digits = 0;
    while (digits < text_.size() && is_digit(text_[digits])) ++digits;
    if (digits < fewest || digits > most) return std::nullopt;
    int value = 0;
    std::from_chars(text_.data(), text_.data() + digits, value);
    text_.remove_prefix(digits);
    return value;
  }

  /// 1 to 12 for an English name of a month, whole or its first three letters ("Sept" too).
  std::optional<int> month_name() {
    const auto month = name_of(kMonths);
    if (month) take(".");
    return month;
  }
  /// "Thu", "Thursday,": which is skipped.
  void weekday_name() {
    if (name_of(kWeekdays))
      while (take("., ") != '\0') {
      }
  }

 private:
  /// Which of the names, from 1, stands in front: whole, or its first three letters.
  template <std::size_t N>
  std::optional<int> name_of(const std::array<std::string_view, N>& names) {
    std::size_t letters = 0;
    while (letters < text_.size() && is_letter(text_[letters])) ++letters;
    for (std::size_t m = 0; m < N; ++m) {
      const std::string_view name = names[m];
      const bool fits = letters == name.size() || letters == 3 || (letters == 4 && name == "september");
      if (!fits || !std::equal(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(letters), name.begin(),
                               [](char a, char b) { return small(a) == b; }))
        continue;
      text_.remove_prefix(letters);
      return static_cast<int>(m) + 1;
    }
    return std::nullopt;
  }
  std::string_view text_;
};

/// A calendar's day as written.
struct WrittenDay {
  int year = 0, month = 1, day = 1;
  bool either_order = false;  ///< month and day stand as first and second
  double more_days = 0;       ///< behind it: of weeks
};

std::optional<WrittenDay> day_in(int y, int m, int d) { return WrittenDay{y, m, d}; }

int year_of_two_digits(int value) { return value < 69 ? 2000 + value : 1900 + value; }

/// A year of four digits or, where allowed, two.
std::optional<int> take_year(DateScanner& scan, bool short_too) {
  if (const auto whole = scan.number(4, 4)) return whole;
  const auto two = short_too ? scan.number(2, 2) : std::nullopt;
  return two ? std::optional(year_of_two_digits(*two)) : std::nullopt;
}

std::optional<WrittenDay> quarter_of(int y, DateScanner& scan) {
  const auto quarter = scan.number(1, 1);
  if (!quarter || *quarter < 1 || *quarter > 4) return std::nullopt;
  return day_in(y, 3 * *quarter - 2, 1);
}

/// The Monday of week 1 is that of the week with January 4th (ISO 8601).
std::optional<WrittenDay> week_of(int y, DateScanner& scan) {
  const auto week = scan.number(2, 2);
  if (!week || *week < 1 || *week > 53) return std::nullopt;
  int weekday = 1;
  DateScanner behind = scan;
  if (behind.take("-") != '\0') {
    const auto number = behind.number(1, 1);
    if (!number || *number < 1 || *number > 7) return std::nullopt;
    weekday = *number;
    scan = behind;
  }
  const sys_days fourth(year_month_day(year(y), month(1), day(4)));
  const int since_monday = static_cast<int>(std::chrono::weekday(fourth).iso_encoding()) - 1;
  WrittenDay written{y, 1, 4};
  written.more_days = 7.0 * (*week - 1) - since_monday + weekday - 1;
  return written;
}

/// "Q1 1960".
std::optional<WrittenDay> quarter_first(DateScanner& scan) {
  scan.take("Qq");
  auto written = quarter_of(0, scan);
  scan.take(" -/");
  const auto y = take_year(scan, false);
  if (!written || !y) return std::nullopt;
  written->year = *y;
  return written;
}

/// "Jan 1985", "Jan-85", "Dec 31, 2023".
std::optional<WrittenDay> month_name_first(DateScanner& scan) {
  const auto m = scan.month_name();
  const char separator = m ? scan.take(" -/") : '\0';
  if (separator == '\0') return std::nullopt;
  if (const auto y = scan.number(4, 4)) return day_in(*y, *m, 1);
  const auto number = scan.number(1, 2);
  if (!number) return std::nullopt;
  if (scan.at_end()) return separator == '-' ? day_in(year_of_two_digits(*number), *m, 1) : std::nullopt;
  if (scan.take(",- ") == '\0') return std::nullopt;
  scan.skip_blanks();
  const auto y = scan.number(4, 4);
  return y ? day_in(*y, *m, *number) : std::nullopt;
}

std::optional<WrittenDay> year_first(DateScanner& scan) {
  const int y = *scan.number(4, 4);
  DateScanner behind = scan;
  const char separator = behind.take("-/. :");
  if (behind.take("Qq") != '\0') {
    scan = behind;
    return quarter_of(y, scan);
  }
  if (behind.take("W") != '\0' && (separator == '-' || separator == '\0')) {
    scan = behind;
    return week_of(y, scan);
  }
  if (behind.take("Mm") != '\0' && (separator == '-' || separator == '\0'))
    if (const auto m = behind.number(1, 2)) {
      scan = behind;
      return day_in(y, *m, 1);
    }
  scan.take("-/. ");
  if (separator == '\0' || separator == ':') return std::nullopt;
  if (const auto of_year = separator == '-' ? scan.number(3, 3) : std::nullopt) {  // 2020-060 (ISO 8601)
    if (*of_year < 1 || *of_year > (year(y).is_leap() ? 366 : 365)) return std::nullopt;
    WrittenDay first{y, 1, 1};
    first.more_days = *of_year - 1;
    return first;
  }
  const bool named = is_letter(scan.front());
  const std::size_t before = scan.rest().size();
  const auto m = named ? scan.month_name() : separator == ' ' ? std::nullopt : scan.number(1, 2);
  if (!m) return std::nullopt;
  const bool whole_month = named || before - scan.rest().size() == 2;
  DateScanner day_scan = scan;
  if (day_scan.take({&separator, 1}) != '\0')
    if (const auto d = day_scan.number(1, 2)) {
      scan = day_scan;
      return day_in(y, *m, *d);
    }
  if (separator == '.' || !whole_month) return std::nullopt;  // "2023.12" is a number
  return day_in(y, *m, 1);
}

/// "31.12.2023", "12/31/23", "12/2023", "31 Dec 2023".
std::optional<WrittenDay> day_or_month_first(DateScanner& scan) {
  const auto first = scan.number(1, 2);
  const char separator = first ? scan.take("./- ") : '\0';
  if (separator == '\0') return std::nullopt;
  if (is_letter(scan.front())) {
    const auto m = scan.month_name();
    if (!m || scan.take({&separator, 1}) == '\0') return std::nullopt;
    const auto y = take_year(scan, separator != ' ');
    return y ? day_in(*y, *m, *first) : std::nullopt;
  }
  if (separator == ' ') return std::nullopt;
  if (separator != '.')
    if (const auto y = scan.number(4, 4)) return day_in(*y, *first, 1);
  const auto second = scan.number(1, 2);
  if (!second || scan.take({&separator, 1}) == '\0') return std::nullopt;
  const auto y = take_year(scan, true);
  if (!y) return std::nullopt;
  if (separator == '.') return day_in(*y, *second, *first);
  return WrittenDay{*y, *first, *second, true, 0};
}

std::optional<WrittenDay> take_day(DateScanner& scan) {
  scan.weekday_name();
  if (scan.front() == 'Q' || scan.front() == 'q') return quarter_first(scan);
  if (is_letter(scan.front())) return month_name_first(scan);
  if (!is_digit(scan.front())) return std::nullopt;
  if (const auto digits = scan.number(8, 8)) {  // 20231231
    const int y = *digits / 10000;
    return y >= 1700 && y < 2200 ? day_in(y, *digits / 100 % 100, *digits % 100) : std::nullopt;
  }
  DateScanner probe = scan;
  return probe.number(4, 4) ? year_first(scan) : day_or_month_first(scan);
}

/// "AM" or "PM" on hours from 1 to 12; as they stand without.
std::optional<int> hours_of_day(int hours, DateScanner& scan) {
  DateScanner behind = scan;
  behind.skip_blanks();
  const char half = behind.take("AaPp");
  if (half == '\0') return hours;
  if (behind.take("Mm") == '\0' || hours < 1 || hours > 12) return std::nullopt;
  scan = behind;
  return hours % 12 + (half == 'P' || half == 'p' ? 12 : 0);
}

/// "hh:mm[:ss[.fff]]" and "hh PM" as a part of a day.
std::optional<double> take_clock(DateScanner& scan) {
  const auto hours = scan.number(1, 2);
  if (!hours) return std::nullopt;
  int minutes = 0, seconds = 0;
  double fraction = 0;
  const bool has_minutes = scan.take(":") != '\0';
  if (has_minutes) {
    const auto m = scan.number(2, 2);
    if (!m) return std::nullopt;
    minutes = *m;
    if (scan.take(":") != '\0') {
      const auto s = scan.number(2, 2);
      if (!s) return std::nullopt;
      seconds = *s;
      double place = 0.1;
      if (scan.take(".,") != '\0')
        for (char digit = scan.take("0123456789"); digit != '\0'; digit = scan.take("0123456789"), place /= 10)
          fraction += place * (digit - '0');
    }
  }
  const std::size_t before = scan.rest().size();
  const auto of_day = hours_of_day(*hours, scan);
  if (!of_day || *of_day > 24 || minutes > 59 || seconds > 60) return std::nullopt;
  if (!has_minutes && scan.rest().size() == before) return std::nullopt;  // hours alone need AM or PM
  return (3600.0 * *of_day + 60.0 * minutes + seconds + fraction) / kDaySeconds;
}

/// Hours ahead of UTC of a zone that is named by letters. Of names that several zones have that of which summer time is
/// named too: a zone matters only where it changes within a file.
std::optional<double> zone_hours(DateScanner& scan) {
  struct Zone {
    std::string_view name;
    double hours;
  };
  constexpr std::array<Zone, 27> kZones{
      {{"Z", 0},     {"UTC", 0},  {"GMT", 0},   {"UT", 0},    {"WET", 0},  {"WEST", 1}, {"BST", 1},
       {"CET", 1},   {"MEZ", 1},  {"CEST", 2},  {"MESZ", 2},  {"EET", 2},  {"EEST", 3}, {"MSK", 3},
       {"IST", 5.5}, {"JST", 9},  {"AEST", 10}, {"AEDT", 11}, {"EST", -5}, {"EDT", -4}, {"CST", -6},
       {"CDT", -5},  {"MST", -7}, {"MDT", -6},  {"PST", -8},  {"PDT", -7}, {"NZST", 12}}};
  const std::string_view word = scan.letters();
  for (const Zone& zone : kZones)
    if (zone.name == word) return zone.hours;
  return std::nullopt;
}

/// "Z", "CET", "UTC+2", "+hh:mm", "-hhmm" or nothing, perhaps "[Europe/Berlin]" behind it, as a part of a day.
std::optional<double> take_offset(DateScanner& scan) {
  scan.skip_blanks();
  double zone = 0;
  if (is_letter(scan.front())) {
    const auto named = zone_hours(scan);
    if (!named) return std::nullopt;
    zone = *named;
  }
  const char sign = scan.take("+-");
  if (sign == '\0') {
    scan.skip_zone_name();
    return zone / 24;
  }
  const auto hours = zone == 0 ? scan.number(1, 4) : std::nullopt;
  if (!hours) return std::nullopt;
  int minutes = 0, whole = *hours;
  if (whole > 99) minutes = whole % 100, whole /= 100;
  if (scan.take(":") != '\0') {
    const auto m = scan.number(2, 2);
    if (!m) return std::nullopt;
    minutes = *m;
  }
  if (whole > 14 || minutes > 59) return std::nullopt;
  scan.skip_zone_name();
  return (sign == '-' ? -1 : 1) * (60.0 * whole + minutes) / 1440;
}

/// The part of a day behind the date, less its offset.
std::optional<double> clock_behind(DateScanner& scan) {
  if (scan.at_end()) return 0.0;
  const bool comma = scan.take(",") != '\0';
  if (scan.take(comma ? " " : "T ") == '\0') return std::nullopt;
  scan.skip_blanks();
  const auto clock = take_clock(scan);
  const auto offset = clock ? take_offset(scan) : std::nullopt;
  return offset && scan.at_end() ? std::optional(*clock - *offset) : std::nullopt;
}

std::optional<double> days_of(const WrittenDay& written, DayMonth order) {
  int m = written.month, d = written.day;
  if (written.either_order && order == DayMonth::day_first) std::swap(m, d);
  if (written.either_order && order == DayMonth::unknown && m != d) return std::nullopt;
  const year_month_day date{year(written.year), month(static_cast<unsigned>(m)), day(static_cast<unsigned>(d))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(sys_days(date).time_since_epoch().count()) + written.more_days;
}

}  // namespace

std::optional<double> date_of(std::string_view text, DayMonth order) {
  DateScanner scan(datasets::text::trimmed(text));
  const auto written = take_day(scan);
  const auto days = written ? days_of(*written, order) : std::nullopt;
  const auto clock = days ? clock_behind(scan) : std::nullopt;
  return clock ? std::optional(*days + *clock) : std::nullopt;
}

bool is_date(std::string_view text) {
  return date_of(text, DayMonth::day_first).has_value() || date_of(text, DayMonth::month_first).has_value();
}

bool is_slash_date(std::string_view text) {
  DateScanner scan(datasets::text::trimmed(text));
  const auto written = take_day(scan);
  return written && written->either_order && is_date(text);
}

std::string date_text(double days) {
  const double floor = std::floor(days + kRounding);
  const year_month_day date(sys_days(std::chrono::days(static_cast<int>(floor))));
  const int whole = static_cast<int>(std::fmax(0, std::round((days - floor) * kDaySeconds)));
  std::array<char, 64> text{};
  const int y = static_cast<int>(date.year());
  const unsigned m = static_cast<unsigned>(date.month()), d = static_cast<unsigned>(date.day());
  if (whole == 0) {
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", y, m, d);
  } else {
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d", y, m, d, whole / 3600, whole / 60 % 60,
                  whole % 60);
  }
  return text.data();
}

}  // namespace fovea::datasets::series
