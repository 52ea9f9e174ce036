#pragma once
/// Keys that mean the same in many experiments: of a model, its training, its ensemble and the data. Each experiment
/// binds those that it has to members of its own, whose initializers are its defaults (SharedKey,
/// core/config/keys.hpp).

#include "fovea/core/config/shared_key.hpp"

namespace fovea::study {

inline const SharedKey kModelWidth{"model.width", "columns of a token's representation", Range::between(1, 1024)};
inline const SharedKey kModelHeads{"model.heads", "attention heads; must divide the width", Range::between(1, 64)};
inline const SharedKey kModelBlocks{"model.blocks", "Transformer blocks", Range::between(1, 16)};
inline const SharedKey kModelHidden{"model.hidden", "width of the hidden layer of a block", Range::between(1, 4096)};
inline const SharedKey kModelDropout{"model.dropout", "dropout rate during training", Range::between(0, 0.9)};

inline const SharedKey kTrainingEpochs{"training.epochs", "passes over the training data", Range::between(1, 10000)};
inline const SharedKey kTrainingBatch{"training.batch", "examples in a batch", Range::between(1, 1e5)};
inline const SharedKey kTrainingLearningRate{"training.learning_rate", "highest learning rate", Range::positive()};
inline const SharedKey kEnsembleMembers{"ensemble.members", "models trained from different random starts",
                                        Range::between(1, 64)};

inline const SharedKey kDataFile{"data.file", "file of the data; none: simulated"};
inline const SharedKey kDataTime{"data.time", "column of the times; empty: recognised"};
inline const SharedKey kDataValue{"data.value", "column of the values; empty: recognised"};
inline const SharedChoice<bool> kDataBad{
    "data.bad",
    {{"stop", false}, {"leave out", true}},
    "what becomes of a record that cannot be read: the first is refused, or all are left out and counted"};
inline const SharedKey kDataMissing{"data.missing", "numbers that mark missing values; \"none\": none do"};

}  // namespace fovea::study
