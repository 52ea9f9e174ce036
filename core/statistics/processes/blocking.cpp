#include "fovea/core/statistics/processes/blocking.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea {

namespace {

constexpr double kFewestBlocks = 16;  // a variance from fewer is itself uncertain by more than a third
constexpr std::size_t kNumbers = 5;   // of a level

}  // namespace

void Blocking::add(double value) {
  for (std::size_t k = 0;; ++k) {
    if (k == levels_.size()) levels_.emplace_back();
    Level& level = levels_[k];
    level.count += 1;
    level.sum += value;
    level.squares += value * value;
    if (level.has_waiting == 0) {
      level.waiting = value;
      level.has_waiting = 1;
      return;
    }
    value = 0.5 * (level.waiting + value);
    level.has_waiting = 0;
  }
}

double Blocking::mean() const { return levels_.empty() ? kNan : levels_.front().sum / levels_.front().count; }

double Blocking::variance_of_mean(const Level& level) {
  const double mean = level.sum / level.count;
  return std::max(0.0, level.squares / level.count - mean * mean) / (level.count - 1);
}

double Blocking::error() const {
  if (count() < 2) return kNan;
  double largest = variance_of_mean(levels_.front());
  for (const Level& level : levels_)
    if (level.count >= kFewestBlocks) largest = std::max(largest, variance_of_mean(level));
  return std::sqrt(largest);
}

double Blocking::correlation_time() const {
  if (count() < 2) return kNan;
  const double independent = variance_of_mean(levels_.front());
  const double all = error();
  return independent > 0 ? 0.5 * all * all / independent : kNan;
}

std::vector<double> Blocking::state() const {
  std::vector<double> numbers;
  for (const Level& level : levels_)
    numbers.insert(numbers.end(), {level.count, level.sum, level.squares, level.waiting, level.has_waiting});
  return numbers;
}

void Blocking::restore(const std::vector<double>& state) {
  require(state.size() % kNumbers == 0, "Blocking: the state has ", state.size(), " numbers; it must be a multiple of ",
          kNumbers, ".");
  levels_.clear();
  for (std::size_t k = 0; k < state.size(); k += kNumbers)
    levels_.push_back({state[k], state[k + 1], state[k + 2], state[k + 3], state[k + 4]});
}

}  // namespace fovea
