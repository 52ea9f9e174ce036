#include "fovea/core/report/figures/dates.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace fovea {

namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr double kMonth = 365.2425 / 12;  // days

struct DateStep {
  double days;     ///< about
  int months = 0;  ///< 0: so many days from any day
};

/// The twin of dates.js.
constexpr DateStep kDateSteps[] = {{1. / 1440},
                                   {5. / 1440},
                                   {15. / 1440},
                                   {1. / 24},
                                   {3. / 24},
                                   {6. / 24},
                                   {12. / 24},
                                   {1},
                                   {2},
                                   {7},
                                   {14},
                                   {kMonth, 1},
                                   {2 * kMonth, 2},
                                   {3 * kMonth, 3},
                                   {6 * kMonth, 6},
                                   {12 * kMonth, 12},
                                   {24 * kMonth, 24},
                                   {60 * kMonth, 60},
                                   {120 * kMonth, 120},
                                   {240 * kMonth, 240},
                                   {600 * kMonth, 600},
                                   {1200 * kMonth, 1200}};

year_month_day civil(double days) {
  return year_month_day(sys_days(std::chrono::days(static_cast<int>(std::floor(days + 1e-9)))));
}

std::string date_label(double days, const DateStep& step) {
  const year_month_day date = civil(days);
  const int year = static_cast<int>(date.year()),
            minutes = static_cast<int>(std::lround(1440 * (days - std::floor(days + 1e-9))));
  const unsigned month = static_cast<unsigned>(date.month()), day = static_cast<unsigned>(date.day());
  std::array<char, 48> text{};
  if (step.months % 12 == 0 && step.months > 0) {
    std::snprintf(text.data(), text.size(), "%d", year);
  } else if (step.months > 0) {
    std::snprintf(text.data(), text.size(), "%d-%02u", year, month);
  } else if (step.days >= 1) {
    std::snprintf(text.data(), text.size(), "%d-%02u-%02u", year, month, day);
  } else {
    std::snprintf(text.data(), text.size(), "%02u-%02u %02d:%02d", month, day, minutes / 60, minutes % 60);
  }
  return text.data();
}

}  // namespace

bool is_date_unit(std::string_view units) { return units.starts_with("days since 1970"); }

std::vector<DateTick> date_ticks(double low, double high, int wanted) {
  const DateStep* step = std::begin(kDateSteps);
  while (step + 1 < std::end(kDateSteps) && step->days * wanted < high - low) ++step;
  std::vector<DateTick> ticks;
  if (step->months == 0) {
    for (double k = std::ceil(low / step->days - 1e-6); k * step->days <= high; ++k)
      ticks.push_back({k * step->days, date_label(k * step->days, *step)});
    return ticks;
  }
  const int first = 12 * static_cast<int>(civil(low).year());
  for (int month = first - first % step->months;; month += step->months) {
    const std::chrono::year_month_day date(std::chrono::year(month / 12), std::chrono::month(month % 12 + 1),
                                           std::chrono::day(1));
    const auto days = static_cast<double>(sys_days(date).time_since_epoch().count());
    if (days > high) return ticks;
    if (days >= low) ticks.push_back({days, date_label(days, *step)});
  }
}

}  // namespace fovea
