#pragma once
/// Whom to trust: a query over what the sensors say, whose weights mix their answers.
///
///   trust = softmax_s(q . K z_s),   answer = sum_s trust_s answer_s,   z_s = gelu([what s says | what the other says])
///
/// over the sensors that are there: one that is missing has a trust of exactly 0 (Jacobs, Jordan, Nowlan & Hinton 1991,
/// mixtures of experts, with attention as the gate).

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

/// What the sensors say of the cases of a pass.
struct Statements {
  std::array<learning::Variable<float>, kSensors> features;  ///< B x F; anything where the sensor is missing
  std::array<learning::Variable<float>, kSensors> answers;   ///< B x C
};

struct Arbitration {
  learning::Variable<float> answers;  ///< B x C
  learning::Variable<float> trust;    ///< B x sensors; rows sum to 1
};

class Arbiter {
 public:
  Arbiter(learning::Parameters<float>& parameters, const std::string& name, Index features, const Random& random);
  Arbitration operator()(const Statements& said, const BothSensors& sensors) const;

 private:
  std::array<learning::Linear<float>, kSensors> token_;
  learning::Linear<float> key_;
  learning::ParameterPlace query_;
};

}  // namespace fovea::fusion::model
