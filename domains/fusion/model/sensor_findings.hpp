#pragma once
/// What pages say of a model whose sensors are taken away, by kind.

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::fusion {

/// What the same model is worth when a sensor is taken away; NaN where no tested case is left.
struct SensorsLost {
  std::string measure;
  double both, without_s2, without_s1;
  FOVEA_FINDING(verdict, "sensors_lost", "tested cases were predicted as they are, without S2, and without S1", measure,
                both, without_s2, without_s1)
  bool holds() const { return !std::isnan(both) && !std::isnan(without_s2) && !std::isnan(without_s1); }
  std::string sentence() const {
    return concat(measure, ": ", rounded_text(both, 3), " with the sensors that the tested cases have, ",
                  rounded_text(without_s2, 3), " with S2 taken away, ", rounded_text(without_s1, 3),
                  " with S1 taken away.");
  }
  static SensorsLost example() { return {"Mean intersection over union", 0.83, 0.71, 0.62}; }
  static SensorsLost counterexample() { return {"Mean intersection over union", 0.83, std::nan(""), 0.83}; }
};

/// All that there is where no tested case of a known class has the other sensor.
struct OneSensorAlone {
  std::string measure;
  double value, without_s2, without_s1;
  FOVEA_FINDING(verdict, "one_sensor_alone", "no tested case of a known class has the other sensor", measure, value,
                without_s2, without_s1)
  bool holds() const { return !std::isnan(value) && std::isnan(without_s2) != std::isnan(without_s1); }
  std::string sentence() const {
    const bool s2 = std::isnan(without_s2);
    return concat(measure, ": ", rounded_text(value, 3), " with ", s2 ? "S2" : "S1",
                  " alone, since no tested case of a known class has ", s2 ? "S1." : "S2.");
  }
  static OneSensorAlone example() { return {"Mean intersection over union", 0.83, std::nan(""), 0.83}; }
  static OneSensorAlone counterexample() { return {"Mean intersection over union", 0.83, 0.71, 0.62}; }
};

/// Both sensors together, and the best of the answers that go by one sensor at a pixel, on the same tested pixels.
struct SensorsCompared {
  std::string shown;              ///< such as "Without clouds"
  double both;                    ///< mean intersection over union
  std::string single;             ///< the best answer by one sensor at a pixel
  double alone, gain, low, high;  ///< gain: with its 95 % interval
  Index better, groups;           ///< in so many of the groups both together are better
  std::string group;              ///< "scene" or "block"

  std::string facts() const {
    return concat("both sensors together have a mean intersection over union of ", plain_text(both, 3),
                  "; the best answer by one sensor at a pixel (", single, ") has ", plain_text(alone, 3));
  }
  std::string bracket() const {
    return concat("95 % interval ", plain_text(low, 3), " to ", plain_text(high, 3), "; better in ", better, " of ",
                  counted(groups, group));
  }
};

struct FusingHelps : SensorsCompared {
  FOVEA_FINDING(verdict, "fusing_helps", "both sensors are better than the best answer by one sensor at a pixel", shown,
                both, single, alone, gain, low, high, better, groups, group)
  bool holds() const { return low > 0; }
  std::string sentence() const {
    return concat(shown, ", fusing helps: ", facts(), ", a gain of ", plain_text(gain, 2), " (", bracket(), ").");
  }
  static FusingHelps example() { return {{"Below clouds", 0.93, "trees", 0.88, 0.05, 0.03, 0.07, 9, 10, "scene"}}; }
  static FusingHelps counterexample() {
    return {{"Without clouds", 0.98, "trees", 0.979, 0.001, -0.001, 0.003, 6, 10, "scene"}};
  }
};

struct FusingDoesNotHelp : SensorsCompared {
  FOVEA_FINDING(verdict, "fusing_does_not_help",
                "both sensors are not shown to be better than the best answer by one sensor at a pixel", shown, both,
                single, alone, gain, low, high, better, groups, group)
  bool holds() const { return !(low > 0); }
  std::string sentence() const {
    return concat(shown, high < 0 ? ", fusing costs: " : ", fusing is not shown to help: ", facts(),
                  ", a difference of ", plain_text(gain, 2), " (", bracket(), ").");
  }
  static FusingDoesNotHelp example() {
    return {{"Without clouds", 0.98, "trees", 0.979, 0.001, -0.001, 0.003, 6, 10, "scene"}};
  }
  static FusingDoesNotHelp counterexample() {
    return {{"Below clouds", 0.93, "trees", 0.88, 0.05, 0.03, 0.07, 9, 10, "scene"}};
  }
};

/// Boosted trees on the columns of both sensors side by side, the simple way to fuse.
struct StackedTrees {
  std::string shown;
  double trees, gain, low, high;  ///< gain: of attention over them
  FOVEA_FINDING(note, "stacked_trees", "boosted trees learned from both sensors side by side", shown, trees, gain, low,
                high)
  bool holds() const { return !std::isnan(trees); }
  std::string sentence() const {
    const char* said = low > 0    ? "less than attention with both"
                       : high < 0 ? "more than attention with both"
                                  : "which is not shown to differ from attention with both";
    return concat(shown, ", boosted trees of both sensors stacked have ", plain_text(trees, 3), ", ", said,
                  " (difference ", plain_text(gain, 2), ", 95 % interval ", plain_text(low, 3), " to ",
                  plain_text(high, 3), ").");
  }
  static StackedTrees example() { return {"As the scenes are", 0.92, 0.01, -0.001, 0.02}; }
  static StackedTrees counterexample() { return {"As the scenes are", std::nan(""), 0.01, -0.001, 0.02}; }
};

struct NoCaseLeft {
  std::string given;  ///< such as "s2 lost"
  Index cases;
  FOVEA_FINDING(note, "no_case_left", "no tested case of a known class has a token left", given, cases)
  bool holds() const { return cases == 0; }
  std::string sentence() const { return concat("No tested case of a known class is left with ", given, "."); }
  static NoCaseLeft example() { return {"s2 lost", 0}; }
  static NoCaseLeft counterexample() { return {"s2 lost", 1}; }
};

}  // namespace fovea::fusion
