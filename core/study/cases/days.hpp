#pragma once
/// Days since 1970-01-01 as people write them.

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

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

}  // namespace fovea::study
