#pragma once
/// How the cost of several ways to do something grows with its size: exponents of time and memory with intervals.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/core/lab/cost_meter.hpp"

namespace fovea::study {

/// What the part of a result that belongs to this machine holds: "seconds" and "bytes" over ("way", over).
struct CostGrowth {
  std::string over;                  ///< the coordinate of sizes, such as "events"
  std::vector<std::string> ways;     ///< as the coordinate "way" has them
  std::vector<std::string> keys;     ///< one a way, for the checks time_KEY and memory_KEY
  std::vector<double> time, memory;  ///< predicted exponents of each way
  double from = 0;                   ///< smaller sizes have a fixed cost, and are left out
  double tolerance = 0.25;           ///< of an exponent, absolute
  std::string source;                ///< of the predictions
};

inline constexpr int kCostRounds = 3;

/// measured(k) of each k < count, in kCostRounds rounds through all of them, so that a machine that is busy for a while
/// spoils one round and no single size: the least processor time of each, and the memory of the first round.
std::vector<Cost> least_costs(std::size_t count, const std::function<Cost(std::size_t k)>& measured);

/// Fits the exponents, where there are at least four sizes: slope, slope_low, slope_high (95 % interval, Student's t)
/// and slope_predicted over "exponent", a figure of them, and a check for each.
void add_cost_exponents(Results& machine, const CostGrowth& growth);

/// A figure of "seconds" or "bytes" over sizes, a line a way, both axes logarithmic.
Figure cost_figure(const std::string& variable, const std::string& over, const std::string& title,
                   const std::string& caption);

}  // namespace fovea::study
