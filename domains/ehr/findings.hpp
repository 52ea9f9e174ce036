#pragma once
/// What the pages of ehr say in words, by kind.

#include <string>

#include "fovea/core/data/finding.hpp"

namespace fovea::ehr {

/// Behind study::NoBetterThanChance.
struct PartsMeanNothing {
  double low, high, chance;  ///< of the whole model
  FOVEA_FINDING(verdict, "parts_mean_nothing", "the whole model is no better than chance", low, high, chance)
  bool holds() const { return low <= chance && chance <= high; }
  std::string sentence() const { return "What the parts add to it means nothing."; }
  static PartsMeanNothing example() { return {0.47, 0.57, 0.5}; }
  static PartsMeanNothing counterexample() { return {0.6, 0.8, 0.5}; }
};

/// Behind study::NoBetterThanChance.
struct AlarmsMeanNothing {
  double low, high, chance;  ///< of the model that raises them
  FOVEA_FINDING(verdict, "alarms_mean_nothing", "the model that raises the alarms is no better than chance", low, high,
                chance)
  bool holds() const { return low <= chance && chance <= high; }
  std::string sentence() const { return "Its alarms mean nothing."; }
  static AlarmsMeanNothing example() { return {0.47, 0.57, 0.5}; }
  static AlarmsMeanNothing counterexample() { return {0.6, 0.8, 0.5}; }
};

}  // namespace fovea::ehr
