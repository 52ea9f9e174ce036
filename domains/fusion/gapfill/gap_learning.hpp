#pragma once
/// Learns the widths by gradient on holes in the shape of clouds, cut into pixels that are visible.

#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/domains/fusion/gapfill/gap_model.hpp"

namespace fovea::fusion::gapfill {

struct LearnPlan {
  ColumnPlan columns;
  GapRules rules;
  std::vector<double> ridges{0.03, 0.1, 0.3, 1};  ///< of the members, one each
  double trusted = 0.2;                           ///< see GapModel
  Index holes = 4;                                ///< cut into each clear date
  Index epochs = 8, batch = 4;
  double learning_rate = 0.05;
};

struct LearnedGaps {
  GapModel model;
  std::vector<learning::TrainingReport> reports;  ///< one a member
  std::vector<double> ridge_losses;               ///< of each member: mean log of the squared error, validation holes
  Index training_holes = 0, validation_holes = 0;
};

/// The loss of a hole is the log of its mean squared error, of which the mean PSNR is the mean. A quarter of the dates
/// validates: it calibrates the spread. The members then learn from the holes of all dates, each from holes of its own.
/// `visible`: what may be seen of each date. Throws DataError where no hole can be cut.
LearnedGaps learn_gaps(const ImageStack& stack, const std::vector<Flags>& visible, const LearnPlan& plan,
                       const Random& random, Workbench& bench);

}  // namespace fovea::fusion::gapfill
