#pragma once
/// What a piece of work costs: processor time of the whole process, and time on the wall.

#include <ctime>

#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cost {
  double processor = 0, wall = 0;  ///< seconds a repetition
  Index repetitions = 0;
};

/// Repeats the work until `seconds` are over, once at least.
template <typename Work>
Cost cost_of(double seconds, const Work& work) {
  const double wall = seconds_of(CLOCK_MONOTONIC), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  Cost cost;
  do {
    work();
    ++cost.repetitions;
    cost.wall = seconds_of(CLOCK_MONOTONIC) - wall;
  } while (cost.wall < seconds);
  cost.processor = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor) / static_cast<double>(cost.repetitions);
  cost.wall /= static_cast<double>(cost.repetitions);
  return cost;
}

}  // namespace fovea::bench
