#include "fovea/datasets/series/times.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

using datasets::text::lower_case;

using std::chrono::day;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr double kSecondsPerDay = 86400;
constexpr double kOffGrid = 0.1;           // of a step: clocks jitter, and files round
constexpr double kSameTime = 0.5 / 86400;  // of a day: dates are good to a second
constexpr std::size_t kFewestTimes = 3;

year_month_day calendar(double days) {
  return year_month_day(sys_days(std::chrono::days(static_cast<int>(std::floor(days + kSameTime)))));
}

bool is_midnight(double days) { return std::fabs(days - std::floor(days + kSameTime)) < kSameTime; }

/// 0 for a Monday.
int weekday_of(double days) { return static_cast<int>(((static_cast<long>(std::floor(days)) + 3) % 7 + 7) % 7); }

/// Months since the year 0, if all times are midnights of the same day of the month, or of its last day.
std::optional<std::vector<double>> month_clock(const std::vector<double>& times) {
  std::vector<double> clock;
  const year_month_day first = calendar(times.front());
  bool same_day = true, last_day = true;
  for (const double time : times) {
    const year_month_day date = calendar(time);
    same_day = same_day && date.day() == first.day();
    last_day = last_day && calendar(time + 1).day() == day(1);
    if (!is_midnight(time) || (!same_day && !last_day)) return std::nullopt;
    clock.push_back(12.0 * static_cast<int>(date.year()) + static_cast<unsigned>(date.month()) - 1);
  }
  return clock;
}

/// Weekdays since a Monday, if all times are midnights of weekdays and some neighbours have a weekend between them.
std::optional<std::vector<double>> weekday_clock(const std::vector<double>& times) {
  std::vector<double> clock;
  bool has_weekend = false, has_neighbours = false;
  for (const double time : times) {
    const int weekday = weekday_of(time + kSameTime);
    if (!is_midnight(time) || weekday > 4) return std::nullopt;
    const double monday = std::floor(time + kSameTime) - weekday;
    const double now = (monday + 3) / 7 * 5 + weekday;
    if (!clock.empty() && now == clock.back() + 1) (weekday == 0 ? has_weekend : has_neighbours) = true;
    clock.push_back(now);
  }
  return has_weekend && has_neighbours ? std::optional(clock) : std::nullopt;
}

/// Differences of neighbours in the same stretch.
std::vector<double> differences(const std::vector<double>& clock, const std::vector<std::size_t>& starts) {
  std::vector<double> all;
  for (std::size_t i = 1; i < clock.size(); ++i)
    if (!std::binary_search(starts.begin(), starts.end(), i)) all.push_back(clock[i] - clock[i - 1]);
  return all;
}

/// A step as a person would write it: 9 digits.
double rounded(double step) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", step);
  return std::strtod(text.data(), nullptr);
}

/// The places of the times on a grid of about this step.
std::optional<EvenSteps> on_grid(const std::vector<double>& clock, const std::vector<std::size_t>& starts,
                                 double about) {
  EvenSteps even;
  even.places.resize(clock.size());
  double span = 0, steps = 0;
  for (std::size_t i = 1; i < clock.size(); ++i) {
    if (std::binary_search(starts.begin(), starts.end(), i)) continue;
    const double between = clock[i] - clock[i - 1], whole = std::round(between / about);
    if (whole < 1 || std::fabs(between - whole * about) > 2 * kOffGrid * about) return std::nullopt;
    if (whole > 1e9) return std::nullopt;
    even.places[i] = even.places[i - 1] + static_cast<std::size_t>(whole);
    span += between;
    steps += whole;
  }
  even.step = span / steps;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const std::size_t first = starts[s], stop = s + 1 < starts.size() ? starts[s + 1] : clock.size();
    if (even.places[stop - 1] + 1 > 2 * (stop - first)) return std::nullopt;
    for (std::size_t i = first; i < stop; ++i)
      if (std::fabs(clock[i] - clock[first] - static_cast<double>(even.places[i]) * even.step) > kOffGrid * even.step)
        return std::nullopt;
  }
  even.step = rounded(even.step);
  return even;
}

std::optional<EvenSteps> on_clock(const std::vector<double>& clock, const std::vector<std::size_t>& starts) {
  std::vector<double> between = differences(clock, starts);
  if (between.size() + 1 < kFewestTimes) return std::nullopt;
  const auto middle = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2);
  std::nth_element(between.begin(), middle, between.end());
  if (auto even = on_grid(clock, starts, *middle)) return even;
  const double least = *std::min_element(between.begin(), between.end());
  return on_grid(clock, starts, least);
}

/// A step of days in the largest unit that it has at least one of.
void name_part_of_day(EvenSteps& even) {
  constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1, "days"}, {24, "hours"}, {1440, "minutes"}, {kSecondsPerDay, "seconds"}}};
  for (const auto& [count, name] : kUnits) {
    even.unit = name;
    if (even.step * count > 1 - kOffGrid / 10 || count == kSecondsPerDay) {
      even.step = rounded(even.step * count);
      // What a day's part has lost as a binary fraction.
      if (std::fabs(even.step - std::round(even.step)) < 1e-4 * even.step) even.step = std::round(even.step);
      return;
    }
  }
}

void name_months(EvenSteps& even) {
  even.unit = "months";
  if (std::fmod(even.step, 12) != 0) return;
  even.step /= 12;
  even.unit = "years";
}

/// A unit as it stands in a name, in full; empty if it is none.
std::string full_unit(const std::string& unit) {
  static const std::map<std::string, std::string> units{
      {"s", "seconds"},       {"sec", "seconds"},    {"second", "seconds"},
      {"seconds", "seconds"}, {"ms", "ms"},          {"us", "us"},
      {"min", "minutes"},     {"minute", "minutes"}, {"minutes", "minutes"},
      {"h", "hours"},         {"hour", "hours"},     {"hours", "hours"},
      {"hr", "hours"},        {"d", "days"},         {"day", "days"},
      {"days", "days"},       {"week", "weeks"},     {"weeks", "weeks"},
      {"month", "months"},    {"months", "months"},  {"quarter", "quarters"},
      {"year", "years"},      {"years", "years"},    {"yr", "years"},
      {"kyr", "kyr"},         {"myr", "Myr"}};
  const auto found = units.find(unit);
  return found == units.end() ? "" : found->second;
}

/// Cuts "time [s]", "time (s)" and "time_s" into the name and the unit.
std::pair<std::string, std::string> name_and_unit(std::string_view name) {
  const std::size_t bracket = name.find_first_of("[(");
  if (bracket != std::string_view::npos && bracket > 0) {
    const std::size_t stop = name.find_first_of("])", bracket);
    return {std::string(datasets::text::trimmed(name.substr(0, bracket))),
            lower_case(name.substr(bracket + 1, stop == std::string_view::npos ? stop : stop - bracket - 1))};
  }
  const std::size_t line = name.rfind('_');
  if (line != std::string_view::npos && !full_unit(lower_case(name.substr(line + 1))).empty())
    return {std::string(name.substr(0, line)), lower_case(name.substr(line + 1))};
  return {std::string(name), ""};
}

}  // namespace

TimeName time_name(std::string_view name) {
  const auto [stem, unit_word] = name_and_unit(datasets::text::trimmed(name));
  const std::string unit = full_unit(unit_word), word = lower_case(stem);
  const auto is_one_of = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (stem == "t" ||
      is_one_of({"time", "date", "datetime", "date_time", "date time", "timestamp", "datum", "zeit", "zeitpunkt"}))
    return {true, true, unit};
  if (is_one_of({"mjd", "jd", "hjd", "bjd"})) return {true, true, "days"};
  if (is_one_of({"", "step", "steps", "index", "sample", "frame", "row", "epoch", "visit", "wave", "round", "obs",
                 "observation"}))
    return {true, false, unit};
  if (unit_word.empty() && word.size() > 2 && !full_unit(word).empty()) return {true, false, full_unit(word)};
  return {};
}

std::optional<EvenSteps> even_steps(const std::vector<double>& times, const std::vector<std::size_t>& starts,
                                    TimeKind kind, const std::string& unit) {
  if (times.size() < kFewestTimes) return std::nullopt;
  if (kind == TimeKind::date) {
    if (const auto months = month_clock(times))
      if (auto even = on_clock(*months, starts)) {
        name_months(*even);
        return even;
      }
    if (const auto weekdays = weekday_clock(times))
      if (auto even = on_clock(*weekdays, starts)) {
        even->unit = "weekdays";
        return even;
      }
  }
  auto even = on_clock(times, starts);
  if (even && kind == TimeKind::date) name_part_of_day(*even);
  if (even && kind == TimeKind::number) {
    even->unit = unit;
    const double months = std::round(12 * even->step);  // 1960.0833 is a month after 1960
    if (unit == "years" && even->step < 1 && months >= 1 && std::fabs(12 * even->step - months) < 0.01)
      even->step = months, even->unit = "months";
  }
  return even;
}

std::vector<double> times_of_grid(const std::vector<double>& times, const std::vector<std::size_t>& places) {
  std::vector<double> all(places.back() + 1);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const auto between = static_cast<double>(places[i + 1] - places[i]);
    for (std::size_t place = places[i]; place < places[i + 1]; ++place)
      all[place] = std::lerp(times[i], times[i + 1], static_cast<double>(place - places[i]) / between);
  }
  all.back() = times.back();
  return all;
}

}  // namespace fovea::datasets::series
