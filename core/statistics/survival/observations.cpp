#include "fovea/core/statistics/survival/observations.hpp"

#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

Index SurvivalTime::ended_all() const { return std::accumulate(ended.begin(), ended.end(), Index{0}); }

std::vector<SurvivalTime> times_of_ends(const char* who, std::span<const double> times, std::span<const Index> ends,
                                        Index count) {
  require(!times.empty() && times.size() == ends.size(), who, ": there are ", times.size(), " times and ", ends.size(),
          " ends; as many are needed, and at least one.");
  for (const double t : times) require(std::isfinite(t), who, ": a time is ", t, ", but must be finite.");
  for (const Index end : ends)
    require(end >= 0 && end <= count, who, ": an end is ", end, ", but must be in [0, ", count, "], 0: censored.");
  std::vector<SurvivalTime> steps;
  auto left = static_cast<Index>(times.size());
  for (const std::uint32_t i : ascending_order(times)) {
    if (steps.empty() || steps.back().time != times[i]) steps.push_back({times[i], left, 0, std::vector<Index>(count)});
    --left;
    if (ends[i] == 0)
      ++steps.back().censored;
    else
      ++steps.back().ended[ends[i] - 1];
  }
  return steps;
}

}  // namespace fovea
