#pragma once
/// Times with an origin as people write them.

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::study {

/// The unit of a column of dates.
inline constexpr const char* kDaysSince1970 = "d since 1970-01-01";

/// "2018-06-27", the hour left out; "day 5e+06" beyond the year 4700.
inline std::string day_text(double days) {
  std::array<char, 40> text{};
  if (!(std::abs(days) < 1e6)) {
    std::snprintf(text.data(), text.size(), "day %.6g", days);
    return text.data();
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{static_cast<int>(std::floor(days))}}};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

/// The unit of months as times.
inline constexpr const char* kMonthsSince1900 = "months since 1900-01";

/// A time in its unit: "2018-06-27", "2018-06" where the unit has one of these origins, else "12.5 h".
inline std::string time_text(double time, const std::string& unit) {
  if (unit == kDaysSince1970) return day_text(time);
  if (unit != kMonthsSince1900 || !(std::abs(time) < 1e5))
    return concat(rounded_text(time), unit == "1" ? "" : ' ' + unit);
  const auto month = static_cast<int>(std::floor(time)) + 12 * 1900;
  return concat(month / 12, month % 12 < 9 ? "-0" : "-", month % 12 + 1);
}
inline bool has_origin(const std::string& unit) { return unit == kDaysSince1970 || unit == kMonthsSince1900; }

}  // namespace fovea::study
