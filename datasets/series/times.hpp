#pragma once
/// Times as they stand in files: which columns hold them, and whether they are evenly spaced.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::datasets::series {

enum class TimeKind { none, number, date };

/// Whether a column of this name holds times: "time", "date", "mjd", "t [s]", ... Whatever the case, but "T" is a
/// temperature. certain: no series has such a name; otherwise ("day", "year", "step", "") the values must bear it out.
struct TimeName {
  bool is_time = false;
  bool certain = false;
  std::string unit;  ///< in the plural; empty where the name does not say
};
TimeName time_name(std::string_view name);

/// Evenly spaced times.
struct EvenSteps {
  double step = 1;                  ///< between neighbours, in `unit`
  std::string unit;                 ///< "days", "months", ..., empty where nothing says
  std::vector<std::size_t> places;  ///< of each time: 0 at the start of its stretch, then at least one more each time
};

/// Times ascend strictly within each stretch (its first place in `starts`, ascending from 0). They are even if all of
/// them lie within a tenth of a step of a grid, the same step in each stretch, and at least half of each grid is there.
/// For dates the grid is that of the calendar where it fits: months (the same day of each, or the last), days without
/// weekends, else of days or parts of one. unit: of times that are numbers.
std::optional<EvenSteps> even_steps(const std::vector<double>& times, const std::vector<std::size_t>& starts,
                                    TimeKind kind, const std::string& unit);

/// The time of each place from 0 to the last; of places between two times on a straight line. times, places: of one
/// stretch, at least one.
std::vector<double> times_of_grid(const std::vector<double>& times, const std::vector<std::size_t>& places);

}  // namespace fovea::datasets::series
