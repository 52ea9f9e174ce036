/// Times and recordings found among columns of numbers.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/findings.hpp"
#include "fovea/datasets/series/rows.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

using DateOfNumber = std::function<std::optional<double>(double)>;

std::string digits(double value, int count) {
  std::string text = concat(std::llround(value));
  return std::string(std::max(0, count - static_cast<int>(text.size())), '0') + text;
}

/// "1990-Q1" of 1990 and 1: a year, what stands behind it, and that in so many digits.
std::optional<double> date_in_year(double year, const char* mark, double part, int count) {
  if (!(year >= 1000 && year < 3000) || year != std::floor(year) || part != std::floor(part)) return std::nullopt;
  return date_of(concat(year, mark, digits(part, count)));
}

/// A year before so many digits: 199001.
DateOfNumber behind_year(double scale, const char* mark, int count) {
  return [=](double value) {
    const double year = std::floor(value / scale);
    return date_in_year(year, mark, value - year * scale, count);
  };
}

/// A year before a point: 1990.01, and 1990.1 for October or, where 1990.9 stands before it, for the tenth month too.
DateOfNumber behind_point(double scale, const char* mark, int count) {
  return [=](double value) {
    const double year = std::floor(value), part = (value - year) * scale;
    return std::fabs(part - std::round(part)) < 1e-6 ? date_in_year(year, mark, std::round(part), count) : std::nullopt;
  };
}

/// 1990.1, ..., 1990.9, 1990.10, 1990.11: as numbers the tenth is the first again.
DateOfNumber months_behind_point() {
  return [before = 0.0](double value) mutable -> std::optional<double> {
    const double year = std::floor(value);
    double part = std::round((value - year) * 100);
    if (std::fmod(part, 10) == 0) part /= 10;
    if (part == 1 && before == 9) part = 10;
    before = part;
    return date_in_year(year, "-", part, 2);
  };
}

/// Of a clock of 1990 to 2100, so many a second.
DateOfNumber since_1970(double a_second) {
  return [=](double value) {
    const double seconds = value / a_second;
    return seconds >= 631152000 && seconds < 4102444800 ? std::optional(seconds / 86400) : std::nullopt;
  };
}

struct NumberedDates {
  const char* as;
  DateOfNumber date;
  const char* since_1970 = "";  ///< the unit: also where the numbers themselves are evenly spaced
};

std::vector<NumberedDates> numbered_dates() {
  return {{"months", behind_year(100, "-", 2)},
          {"weeks", behind_year(100, "-W", 2)},
          {"quarters", behind_year(10, "-Q", 1)},
          {"days of the year", behind_year(1000, "-", 3)},
          {"months", behind_point(100, "-", 2)},
          {"quarters", behind_point(10, "-Q", 1)},
          {"months", months_behind_point()},
          {"seconds since 1970", since_1970(1), "seconds"},
          {"milliseconds since 1970", since_1970(1e3), "ms"},
          {"microseconds since 1970", since_1970(1e6), "us"},
          {"nanoseconds since 1970", since_1970(1e9), "ns"}};
}

bool has_whole_seconds(const std::vector<double>& days, const std::vector<std::size_t>& starts) {
  for (std::size_t i = 1; i < days.size(); ++i)
    if (!std::binary_search(starts.begin(), starts.end(), i) && 86400 * (days[i] - days[i - 1]) < 0.999) return false;
  return true;
}

/// The dates that these numbers are, and how they are read; of parts of seconds only the unit.
struct DatesOfNumbers {
  std::vector<double> days;
  std::string as, unit;
};
std::optional<DatesOfNumbers> dates_of_numbers(const SeriesRows& rows, const std::vector<double>& values) {
  if (values.size() < kFewestRows) return std::nullopt;
  const std::vector<std::size_t> starts = rows.stretches();
  const bool is_even = rows.ascends(values) && even_steps(values, starts, TimeKind::number, "");
  for (NumberedDates& kind : numbered_dates()) {
    const std::string unit = kind.since_1970;
    if (is_even && unit.empty()) continue;
    std::vector<double> days;
    for (const double value : values) {
      const auto date = kind.date(value);
      if (!date) break;
      days.push_back(*date);
    }
    if (days.size() < values.size() || !rows.ascends(days)) continue;
    if (unit.empty() && !even_steps(days, starts, TimeKind::date, "")) continue;
    const std::string first = values[0] == std::floor(values[0]) ? concat(std::llround(values[0])) : concat(values[0]);
    const std::string as = concat(kind.as, ": ", first, " is ", date_text(days[0]));
    if (has_whole_seconds(days, starts)) return DatesOfNumbers{std::move(days), as, ""};
    if (!unit.empty()) return DatesOfNumbers{{}, as, unit};
  }
  return std::nullopt;
}

std::size_t place_of_name(const SeriesRows& rows, const std::string& name) {
  return static_cast<std::size_t>(std::find(rows.names.begin(), rows.names.end(), name) - rows.names.begin());
}

bool descends(const std::vector<double>& values) {
  return std::is_sorted(values.begin(), values.end(), [](double a, double b) { return a >= b; });
}

/// Beside a total an unevenly rising column is a total too rather than the times.
bool has_other_total(const SeriesRows& rows, std::size_t but) {
  for (std::size_t c = 0; c < rows.names.size(); ++c)
    if (c != but && is_total(rows.column(c), rows.stretches())) return true;
  return false;
}

/// Whether the times ascend for each of these whole numbers. Where rows of one number stand together the times must
/// begin again wherever it changes; where they alternate that says little: four quarters of a year do so too.
bool tell_recordings(const std::vector<double>& times, const std::vector<double>& numbers, bool may_alternate) {
  struct Recording {
    double time = -std::numeric_limits<double>::infinity();
    std::size_t last = 0;
  };
  std::map<double, Recording> recordings;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(numbers[i] == std::floor(numbers[i]))) return false;
    const auto [place, is_new] = recordings.try_emplace(numbers[i]);
    Recording& recording = place->second;
    if (!(times[i] > recording.time) || (!is_new && recording.last + 1 != i && !may_alternate)) return false;
    if (!may_alternate && is_new && i > 0 && times[i] > times[i - 1]) return false;
    if (kFewestRows * recordings.size() > times.size()) return false;
    recording = {times[i], i};
  }
  return recordings.size() > 1;
}

}  // namespace

void read_numbers_as_dates(SeriesRows& rows) {
  if (rows.kind != TimeKind::number) return;
  auto dates = dates_of_numbers(rows, rows.times);
  if (!dates) return;
  if (dates->unit.empty()) {
    rows.times = std::move(dates->days);
    rows.kind = TimeKind::date;
  }
  if (dates->unit.empty() || rows.time_unit != dates->unit)  // once
    rows.say(TimesRead{datasets::text::quoted(rows.time_name), dates->as});
  rows.time_unit = dates->unit;
}

bool take_months_and_days(SeriesRows& rows) {
  const auto find = [&](std::initializer_list<const char*> words) {
    for (std::size_t c = 0; c < rows.names.size(); ++c)
      for (const char* word : words)
        if (lower_name(rows.names[c]) == word) return c;
    return rows.names.size();
  };
  const std::size_t m = find({"month", "mon", "mo", "monat"}), d = find({"day", "dy", "tag"});
  if (std::max(m, d) >= rows.names.size() || rows.names.size() < 3) return false;
  const std::vector<double> months = rows.column(m), days = rows.column(d);
  for (const int first_year : {2001, 2000, 1999}) {  // a 29th of February is in the first year, or the one after it
    std::vector<double> times;
    int year = first_year;
    for (std::size_t i = 0; i < months.size(); ++i) {
      if (i > 0 && months[i] < months[i - 1]) ++year;
      if (!(months[i] >= 1 && months[i] <= 12 && days[i] >= 1 && days[i] <= 31)) return false;
      const auto date = date_of(concat(year, '-', digits(months[i], 2), '-', digits(days[i], 2)));
      if (!date) break;
      times.push_back(*date);
    }
    if (times.size() < months.size() || !rows.ascends(times)) continue;
    rows.times = std::move(times);
    rows.kind = TimeKind::date;
    rows.time_name = concat(rows.names[m], "' and '", rows.names[d]);
    rows.say(TimesRead{concat("'", rows.time_name, "'"),
                       concat("months and days without a year; the first is dated ", first_year)});
    rows.drop(std::max(m, d));
    rows.drop(std::min(m, d));
    return true;
  }
  return false;
}

void take_times(SeriesRows& rows, const std::vector<std::string>& candidates) {
  if (rows.names.size() < 2 || rows.rows() < kFewestRows) return;
  for (const std::string& name : candidates) {
    const std::size_t c = place_of_name(rows, name);
    if (c == rows.names.size()) continue;
    std::vector<double> values = rows.column(c);
    const bool is_time = time_name(name).is_time, newest_first = is_time && rows.recording.empty() && descends(values);
    if (!rows.ascends(values) && !newest_first && !dates_of_numbers(rows, values)) continue;
    if (!is_time && is_total(values, rows.stretches()) && has_other_total(rows, c)) continue;
    rows.times = std::move(values);
    rows.kind = TimeKind::number;
    rows.time_name = name;
    rows.time_unit = time_name(name).unit;
    read_numbers_as_dates(rows);
    if (!is_time && rows.kind == TimeKind::number)
      rows.notes.push_back(concat("Column '", datasets::text::shown_text(name),
                                  "' ascends from row to row and is taken for the times; if it is a "
                                  "series, say that there are no times (time none)."));
    rows.drop(c);
    return;
  }
}

void take_numbered_recordings(SeriesRows& rows, const std::vector<std::string>& candidates) {
  std::vector<std::pair<std::string, std::vector<double>>> clocks;
  if (!rows.times.empty()) clocks.emplace_back(rows.time_name, rows.times);
  for (const std::string& name : candidates)
    if (const std::size_t c = place_of_name(rows, name);
        rows.times.empty() && c < rows.names.size() && (time_name(name).is_time || rows.ascends(rows.column(c))))
      clocks.emplace_back(name, rows.column(c));
  if (std::any_of(clocks.begin(), clocks.end(), [&](const auto& clock) {
        return rows.ascends(clock.second) || descends(clock.second) || dates_of_numbers(rows, clock.second);
      }))
    return;
  for (const auto& [clock, times] : clocks) {
    for (std::size_t c = 0; c < rows.names.size(); ++c) {
      const std::string name = rows.names[c];
      const std::vector<double> numbers = rows.column(c);
      const bool is_thing = is_name_of_thing(name);
      if (name == clock || time_name(name).is_time ||
          (!tell_recordings(times, numbers, false) && !(is_thing && tell_recordings(times, numbers, true))))
        continue;
      std::map<double, std::uint32_t> places;
      for (const double number : numbers) {
        const auto [place, is_new] = places.try_emplace(number, static_cast<std::uint32_t>(places.size()));
        if (is_new) rows.recordings.push_back(concat(number));
        rows.recording.push_back(place->second);
      }
      rows.drop(c);
      rows.say(
          NumberedRecordings{std::ssize(rows.recordings), datasets::text::quoted(name), datasets::text::quoted(clock)});
      return;
    }
  }
}

void count_on_local_clock(SeriesRows& rows) {
  constexpr double kHour = 1.0 / 24, kSecond = 1.0 / 86400;
  constexpr std::size_t kFewestHours = 24;  // fewer show no rhythm that a clock could break
  if (rows.kind != TimeKind::date || rows.rows() < kFewestHours) return;
  const std::vector<std::size_t> starts = rows.stretches();
  std::vector<double> between;
  for (std::size_t i = 1; i < rows.times.size(); ++i) between.push_back(rows.times[i] - rows.times[i - 1]);
  std::nth_element(between.begin(), between.begin() + std::ssize(between) / 2, between.end());
  const double step = between[between.size() / 2];
  if (!(step > kSecond) || step > kHour + kSecond) return;
  // Clocks are set on Sundays of spring or autumn, in either half of the world, before 4 in the morning.
  const auto may_be_set = [](double time) {
    const double day = std::floor(time + kSecond);
    const int month = std::stoi(date_text(day).substr(5, 2));
    return std::fmod(day + 4, 7) == 0 && (month == 3 || month == 4 || (month >= 9 && month <= 11)) &&
           time - day < 4 * kHour + kSecond;
  };
  LocalClock clock{0, 0, ""};
  std::int64_t other_gaps = 0;
  std::vector<double> moved = rows.times;
  double shift = 0;
  for (std::size_t i = 1; i < moved.size(); ++i) {
    if (std::binary_search(starts.begin(), starts.end(), i))
      shift = 0;
    else {
      const double change = rows.times[i] - rows.times[i - 1];
      const bool back = std::fabs(change - step + kHour) < kSecond, ahead = std::fabs(change - step - kHour) < kSecond;
      const bool is_set = (back || ahead) && may_be_set(rows.times[i]);
      if (change <= 0 && !is_set) return;  // times that are wrong, of which check_times() speaks
      other_gaps += ahead && !is_set ? 1 : 0;
      if (is_set && clock.first.empty()) clock.first = date_text(rows.times[i]);
      if (is_set) shift += back ? kHour : -kHour, ++(back ? clock.back : clock.ahead);
    }
    moved[i] += shift;
  }
  // Where hours are missing elsewhere too, one on such a Sunday is one of them.
  if (!clock.holds() || (clock.back == 0 && other_gaps > 0)) return;
  rows.times = std::move(moved);
  rows.say(clock);
}

}  // namespace fovea::datasets::series
