#pragma once
/// Trees beside the members as arrays: of model.h5, and of a run that goes on.

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/core/study/trees/companion.hpp"

namespace fovea::study {

/// companions() within a series of trainings, by twos, named PREFIXtrees_1, ...: a run that goes on grows none anew.
/// preparations: of each list, whose classes and features are those of the cases.
std::vector<Companion> kept_companions(const std::string& prefix, const std::string& source,
                                       const TreeSettings& settings, const Target& target, const Cases& cases,
                                       const std::vector<const std::vector<Index>*>& training,
                                       const std::vector<const Preparation*>& preparations, const Random& random,
                                       learning::TrainingSeries& trainings);

/// Their arrays, as part of model.h5; "PREFIXforest_1_root", ...
void add_companion(Dataset& data, const Companion& companion, const std::string& prefix = "");
/// The trees of a file of unknown origin; settings: of its config.
Companion read_companion(ModelVariables& file, const Dataset& data, const TreeSettings& settings, const Target& target,
                         const Preparation& preparation, const std::string& prefix = "");

}  // namespace fovea::study
