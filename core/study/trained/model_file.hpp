#pragma once
/// model.h5: everything that is needed to predict, and nothing that would have to be believed.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/trained/data_of_model.hpp"
#include "fovea/core/study/trees/companion.hpp"

namespace fovea::study {

/// A trained ensemble.
struct TrainedModel {
  Config config;  ///< resolved, checked
  Preparation preparation;
  Calibration calibration;
  std::vector<Member> members;
  /// Of a binary target with folds: cases with a probability of at least this are decided to be of class 1.
  std::optional<double> threshold{};
  std::optional<Companion> trees{};  ///< mixed with each member
  DataOfModel data{};
};

/// As a data set: attributes kind = "fovea model", experiment, result_version, target; the resolved config; features
/// with unit, categories, mean, deviation, range, of each class of tokens where there are classes; the calibration, the
/// threshold; the members' parameters, the trees; the hash of all of it.
Dataset model_dataset(const LearnedTask& task, const TrainedModel& model);

/// The model in a data set of unknown origin. Every size follows from the checked config and the listed features, never
/// from the file; a file that does not fit is refused. `source`: for messages.
/// Throws DataError: no model file, another experiment or result version (and what to do), a config that is refused, a
/// variable that is missing, of another shape or type, or not finite, a hash that differs.
TrainedModel read_model(const std::string& source, const Dataset& data, const LearnedTask& task);

/// The hash of what a model computes: of its file without what it says of its data. A run's result has it as
/// /model_hash.
std::string identity_of_model(const Dataset& file);

/// The experiment whose model it is. Throws DataError.
std::string experiment_of_model(const std::string& source, const Dataset& data);

}  // namespace fovea::study
