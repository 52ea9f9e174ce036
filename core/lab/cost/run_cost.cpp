#include "fovea/core/lab/cost/run_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/machine/thread_count.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/lab/open_inputs.hpp"
#include "fovea/core/lab/sweep.hpp"

namespace fovea {

namespace {

constexpr double kWorthAWord = 60;        // seconds
constexpr double kMuchMemory = 0.25;      // of what is left
constexpr double kAlike = 2;              // times the least: one number says both ends
constexpr std::size_t kPointsAsked = 12;  // a look at one may take a tenth of a second

std::string rough_duration(double seconds) {
  struct Unit {
    double seconds, from;
    const char* name;
  };
  constexpr std::array kUnits{Unit{31557600, 2 * 31557600.0, "years"}, Unit{86400, 2 * 86400.0, "days"},
                              Unit{3600, 5400, "h"}, Unit{60, 90, "min"}, Unit{1, 0, "s"}};
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) { return seconds >= one.from; });
  const double count = seconds / unit->seconds;
  return concat(plain_text(count, count < 100 ? 2 : 3), ' ', unit->name);
}

}  // namespace

std::string cost_sentence(const RunCost& cost, double left) {
  if (cost.bytes > left)
    throw std::runtime_error(concat("the run needs about ", memory_text(cost.bytes), " of memory, but only ",
                                    memory_text(left),
                                    " are left to this process; make it smaller, use fewer --jobs, or raise the "
                                    "limit."));
  if (cost.most_seconds < kWorthAWord && cost.bytes < kMuchMemory * left) return "";
  const bool alike = cost.most_seconds <= kAlike * cost.least_seconds;
  const std::string time = cost.most_seconds == 0 ? ""
                           : alike
                               ? "about " + rough_duration(std::sqrt(cost.least_seconds * cost.most_seconds))
                               : concat(rough_duration(cost.least_seconds), " to ", rough_duration(cost.most_seconds));
  return concat("The whole run is expected to take ", time, cost.bytes > 0 && !time.empty() ? " and " : "",
                cost.bytes > 0 ? memory_text(cost.bytes) + " of memory" : "", ".");
}

RunCost cost_of_points(const Experiment& experiment, const Sweep& sweep, OpenInputs& inputs, const ThreadShare& share) {
  const ThreadCount count(share.threads);
  const std::size_t asked = std::min(sweep.size(), kPointsAsked);
  RunCost cost;
  for (std::size_t k = 0; k < asked; ++k) {
    const Config config = sweep.config(k * sweep.size() / asked);
    RunCost one;
    try {
      one = experiment.cost(config, inputs.of(experiment, config));
    } catch (const std::exception&) {  // the run will say so at its place
    }
    const double times = static_cast<double>(sweep.size()) / static_cast<double>(asked) / share.jobs;
    cost.least_seconds += times * one.least_seconds;
    cost.most_seconds += times * one.most_seconds;
    cost.bytes = std::max(cost.bytes, share.jobs * one.bytes);
  }
  return cost;
}

}  // namespace fovea
