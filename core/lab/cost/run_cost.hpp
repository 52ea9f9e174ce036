#pragma once
/// What a run is expected to take, before it begins.

#include <string>

namespace fovea {

struct ThreadShare {
  int jobs = 1;     ///< points at once
  int threads = 1;  ///< of each
};

/// Of one point; the run's threads for this point are what OpenMP has when it is asked.
struct RunCost {
  double least_seconds = 0, most_seconds = 0;  ///< 0: not worth a word, or not known
  double bytes = 0;                            ///< beside what is in memory already
};

/// "The whole run is expected to take 4 min and 1.2 GB of memory." where it takes a minute and more, or a quarter of
/// the memory that is left (`left` bytes); "" else. Throws std::runtime_error where it takes more than that.
std::string cost_sentence(const RunCost& cost, double left);

class Experiment;
class Sweep;
class OpenInputs;

/// Of all points together: from some of them, evenly spread.
RunCost cost_of_points(const Experiment& experiment, const Sweep& sweep, OpenInputs& inputs, const ThreadShare& share);

}  // namespace fovea
