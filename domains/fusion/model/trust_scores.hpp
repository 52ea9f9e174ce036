#pragma once
/// What trust is worth: whether it goes with what changes when a sensor is taken away, and with vegetation.

#include <string>

#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::model {

/// Adds of the tested cases whose class is known: risk against coverage; of those that both sensors see: trust by NDVI,
/// where that is among their features, and what changes when a sensor is taken away, with the rank correlation of both.
/// said: by both sensors (answers_of). cases: what they are, such as "pixels". Targets are classes.
void examine_trust(const study::StudyOutcome& outcome, const SensorAnswers& said, const std::string& cases,
                   Results& results);

}  // namespace fovea::fusion::model
