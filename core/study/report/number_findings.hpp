#pragma once
/// What a learned question whose target is a number says of its intervals.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::study {

struct IntervalsRest {
  double coverage, low, high;  ///< of the truths that were tested
  double kept;                 ///< of the way from the mean to what was predicted; 1: all of it
  std::string group;           ///< "site"; without groups what a case is
  Index groups;                ///< that taught nothing of what they were asked; 0: the intervals rest on no errors
  FOVEA_FINDING(note, "intervals_rest", "the widths of intervals were fitted to errors of groups that did not teach",
                coverage, low, high, kept, group, groups)
  bool holds() const { return groups > 0 && !std::isnan(coverage); }
  std::string sentence() const {
    return concat("Intervals of 90 % hold ", fixed_text(100 * coverage, 0), " %",
                  std::isnan(low) ? "" : concat(" [", fixed_text(100 * low, 0), ", ", fixed_text(100 * high, 0), "]"),
                  " of the truths that were tested. They rest on the errors at ", counted(groups, group),
                  ", each by models that learned nothing of it",
                  groups < kFew ? ", which is few: at another one they may hold less" : "", '.',
                  kept < kAll ? concat(" By these errors predictions keep ", fixed_text(kept, 2),
                                       " of their distance from the mean.")
                              : "");
  }
  static IntervalsRest example() { return {0.87, 0.81, 0.92, 0.8, "site", 12}; }
  static IntervalsRest counterexample() { return {0.87, 0.81, 0.92, 1, "site", 0}; }

 private:
  static constexpr double kAll = 0.995;  // is 1.00
  static constexpr Index kFew = 20;  // of fewer one that is not known yet is more than half of the 5 % beyond an end
};

}  // namespace fovea::study
