#pragma once
/// Mass decorrelation: the score of background jets must not tell their mass, so that a cut does not sculpt it.

#include <span>

#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/tokens.hpp"

namespace fovea::particle::model {

/// factor dCor^2(sigmoid(logit), mass) over the jets of class 0 (Kasieczka & Shih 2020), mass that of the constituents,
/// taken as massless. logits: one a jet; jets: their constituents with the coordinates of jet_inputs.hpp; classes,
/// weights: one a jet. Result: 1 x 1. Jets that are fewer tell less: of n independent ones dCor^2 is 1 / n and more.
learning::Variable<float> mass_penalty(learning::Variable<float> logits, const learning::Tokens& jets,
                                       std::span<const Index> classes, std::span<const float> weights, float factor);

}  // namespace fovea::particle::model
