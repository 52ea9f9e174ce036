#pragma once
/// Axes of dates: coordinates in "days since 1970-01-01" (CF conventions, which xarray reads as dates).

#include <string>
#include <string_view>
#include <vector>

namespace fovea {

bool is_date_unit(std::string_view units);

struct DateTick {
  double days = 0;
  std::string label;  ///< as much of the date as tells neighbours apart: "1990", "1990-03", "1990-03-14", "03-14 06:00"
};
/// Starts of years, months, days, hours or minutes, about `wanted` of them.
std::vector<DateTick> date_ticks(double low, double high, int wanted);

}  // namespace fovea
