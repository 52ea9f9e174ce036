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
