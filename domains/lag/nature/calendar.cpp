#include "fovea/domains/lag/nature/calendar.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::lag::nature {

namespace {

struct Cycle {
  std::string_view unit, name;
  double length;  ///< in the unit
};

// Days, leap years counted.
constexpr double kYear = 365.25;
constexpr std::array kCycles{
    Cycle{"seconds", "hourly", 3600},
    Cycle{"seconds", "daily", 86400},
    Cycle{"seconds", "weekly", 604800},
    Cycle{"minutes", "hourly", 60},
    Cycle{"minutes", "daily", 1440},
    Cycle{"minutes", "weekly", 10080},
    Cycle{"minutes", "yearly", 1440 * kYear},
    Cycle{"hours", "daily", 24},
    Cycle{"hours", "weekly", 168},
    Cycle{"hours", "yearly", 24 * kYear},
    Cycle{"days", "weekly", 7},
    Cycle{"days", "yearly", kYear},
    Cycle{"weekdays", "weekly", 5},
    Cycle{"weekdays", "yearly", kYear * 5 / 7},
    Cycle{"weeks", "yearly", kYear / 7},
    Cycle{"months", "yearly", 12},
    Cycle{"quarters", "yearly", 4},
};

}  // namespace

std::vector<Period> calendar_periods(const datasets::series::SeriesTable& table) {
  std::vector<Period> periods;
  for (const Cycle& cycle : kCycles)
    if (cycle.unit == table.time_unit && cycle.length >= 2 * table.step)
      periods.push_back({cycle.length / table.step, std::string(cycle.name)});
  return periods;
}

std::string course_called(const datasets::series::SeriesTable& table, const Period& period) {
  if (!period.name.empty()) return period.name + " course";
  const bool in_steps = table.time_unit.empty();
  const double length = period.steps * (in_steps ? 1 : table.step);
  const double shown = std::stod(plain_text(length, 4));
  return "course of " + datasets::series::time_text(shown, in_steps ? "" : table.time_unit);
}

}  // namespace fovea::lag::nature
