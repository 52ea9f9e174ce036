#pragma once
/// Periods that a calendar gives.

#include <string>
#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::nature {

struct Period {
  double steps = 0;
  std::string name;  ///< "daily", "weekly", "yearly"; empty: no calendar's
};

/// A day, a week, a year and so on in steps of the table, ascending, those of at least 2 steps; none where the unit of
/// time is not known. Units as the readers give them: "hours", "days", "weekdays", ...
std::vector<Period> calendar_periods(const datasets::series::SeriesTable& table);

/// "yearly course", "course of 17.3 days"
std::string course_called(const datasets::series::SeriesTable& table, const Period& period);

}  // namespace fovea::lag::nature
