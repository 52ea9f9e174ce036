#pragma once
/// Whom to trust: a query over how sure each sensor is by itself, whose weights mix the answers.
///
///   trust = softmax_s(-b H_s),   answer = sum_s trust_s answer_s
///
/// over the sensors that are there: one that is missing has a trust of exactly 0 (Jacobs, Jordan, Nowlan & Hinton 1991,
/// mixtures of experts, with attention as the gate). H_s is the doubt of what the sensor says alone, before it has seen
/// the other: the entropy of its probabilities (nats), or half the log of its variance for a number; with b = 2 numbers
/// are weighed by their precisions. b > 0 is learned. Once the sensors have seen each other either can answer for both,
/// so nothing in the answers would say whom to trust.

#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

/// What the sensors say of the cases of a pass.
struct Statements {
  std::array<learning::Variable<float>, kSensors> answers;  ///< B x C, of each having seen the other
  std::array<learning::Variable<float>, kSensors> doubts;   ///< B x 1: H; anything where the sensor is missing
};

struct Arbitration {
  learning::Variable<float> answers;  ///< B x C
  learning::Variable<float> trust;    ///< B x sensors; rows sum to 1
};

/// -sum_c p_c ln p_c of each row, p = softmax(answers); B x 1.
learning::Variable<float> entropies(learning::Variable<float> answers);

class Arbiter {
 public:
  Arbiter(learning::Parameters<float>& parameters, const std::string& name, double first_sharpness);
  Arbitration operator()(const Statements& said, const BothSensors& sensors) const;

 private:
  learning::ParameterPlace log_sharpness_;  ///< ln b
};

}  // namespace fovea::fusion::model
