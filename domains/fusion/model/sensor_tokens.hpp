#pragma once
/// The tokens of a pass, sensor by sensor, and what is left out of them while a model learns.

#include <array>
#include <string>
#include <vector>

#include "fovea/core/learning/tape.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::fusion::model {

/// S1: synthetic aperture radar, S2: optics. Kinds of tokens in this order (study::Cases::classes).
constexpr Index kSensors = 2;
inline const std::vector<std::string> kSensorNames{"s1", "s2"};

/// Where a band of S2 is among these, B4 being the same as B04; -1: nowhere.
Index place_of_band(const std::vector<std::string>& bands, const std::string& band);
/// The places of red, green and blue among the bands of S2; unless all are there the first band thrice, a grey picture.
std::array<Index, 3> color_bands(const std::vector<std::string>& bands);

/// What is left out while a model learns, so that it meets what it will meet: Neverova et al. 2016, ModDrop.
struct SensorDropout {
  double sensor = 0;  ///< probability that a case with both sensors loses one of them; each is as likely
  double dates = 0;   ///< probability that a token is left out
  double gap = 0;  ///< probability that S2 loses a stretch of time, uniform up to half of the case's time, as by clouds
};

/// The tokens of one sensor: one set a case, empty where the sensor is missing.
struct SensorTokens {
  std::vector<Index> rows;     ///< of the batch
  learning::Tokens tokens;     ///< offsets, and times where the batch has them
  std::vector<float> present;  ///< one a case: 1 where it has tokens, else 0
};
using BothSensors = std::array<SensorTokens, kSensors>;

/// The pass decides with numbers of its own for each case and step; without training nothing is left out. A case keeps
/// at least one token.
void split_sensors(const learning::Pass& pass, const study::Batch& batch, const SensorDropout& dropout,
                   BothSensors& sensors);

}  // namespace fovea::fusion::model
