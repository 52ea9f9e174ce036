#pragma once
/// What a training leaves in the results.

#include <span>
#include <string>

#include "fovea/core/data/results.hpp"
#include "fovea/core/learning/training/training.hpp"

namespace fovea::learning {

/// Adds NAME_training_loss, NAME_validation_loss, NAME_metric (where there are), NAME_learning_rate and
/// NAME_gradient_norm over the coordinate NAME_epoch = 1 ... planned epochs; epochs that early stopping left out are
/// NaN, so that the points of a sweep have the same shape. Also the scalars NAME_best_epoch (counted from 1) and
/// NAME_steps, and the figure NAME_learning_curve.
/// loss_units: "1" for most losses.
void add_learning_curves(Results& results, const std::string& name, const TrainingReport& report,
                         const std::string& loss_units = "1");

/// The same of an ensemble, in one figure: NAME_training_loss and NAME_validation_loss (where there is one) over
/// NAME_member and NAME_epoch, NAME_best_epoch over NAME_member. reports: one a member, of trainings with equal
/// settings.
void add_ensemble_curves(Results& results, const std::string& name, std::span<const TrainingReport> reports,
                         const std::string& loss_units = "1");

}  // namespace fovea::learning
