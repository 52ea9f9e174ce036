#pragma once
/// Keys of several statements, each of which may say more of its own; those of cost_meter.hpp are among them.

#include "fovea/core/lab/cost_meter.hpp"

namespace fovea::mechanism {

inline const SharedKey kHeads{"heads", "attention heads", Range::between(1, 64)};
inline const SharedKey kWidth{"width", "columns of a token's representation", Range::between(2, 1024)};
inline const SharedKey kLength{"length", "tokens in a sequence", Range::between(3, 1000)};
inline const SharedKey kQueries{"queries", "number of queries", Range::between(1, 1e5)};
inline const SharedKey kKeys{"keys", "M: number of keys", Range::between(2, 1e5)};
inline const SharedKey kLookedAt{"looked_at", "test sequences whose attention is measured", Range::between(1, 1e6)};
inline const SharedKey kTrainingExamples{"training_examples", "training sequences", Range::between(1, 1e7)};
inline const SharedKey kEpochs{"epochs", "passes through the training sequences", Range::between(1, 1e4)};
inline const SharedKey kLearningRate{
    "learning_rate", "highest learning rate, after a warm-up; then it falls as a cosine", Range::positive()};
inline const SharedKey kBatch{"training.batch", "examples in a batch", Range::between(1, 1e6)};

}  // namespace fovea::mechanism
