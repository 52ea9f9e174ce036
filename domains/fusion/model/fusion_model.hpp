#pragma once
/// The model of all experiments of this domain: an encoder and a head for each sensor, attention between the sensors,
/// and an arbiter (README.md has the equations).

#include <memory>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/model/study_model.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

struct ModelSettings {
  Index width = 16, heads = 4;  ///< of a token; the heads divide it
  Index dates = 18;             ///< at which series are encoded
  Index features = 48;          ///< of each sensor
  double dropout = 0.3;
  SensorDropout holes{0.3, 0.1, 0};
  double alone = 0.5;  ///< weight of the loss of each sensor's own answer
};
const Keys<ModelSettings>& model_keys();

/// Classes of tokens: kSensorNames. Tells trust_s1 and trust_s2 besides.
std::unique_ptr<study::StudyModel> make_model(const ModelSettings& settings, const study::ModelShape& shape,
                                              learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::fusion::model
