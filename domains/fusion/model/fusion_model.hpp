#pragma once
/// The model of all experiments of this domain: an encoder and a head for each sensor, attention between the sensors,
/// and an arbiter (README.md has the equations).

#include <memory>

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::fusion::model {

/// Keys model.width, heads, dates, features, dropout; training.drop_sensor, drop_dates, drop_gap, alone.
void declare_model(Schema& schema);
void check_model(const Config& config, Complaints& complaints);

/// Classes of tokens: kSensorNames. Tells trust_s1 and trust_s2 besides.
std::unique_ptr<study::StudyModel> make_model(const Config& config, const study::ModelShape& shape,
                                              learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::fusion::model
