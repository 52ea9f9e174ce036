#pragma once
/// Learns the space of both sensors by telling pairs of patches from the others of their group.

#include "fovea/core/lab/workbench.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/fusion/match/match_model.hpp"

namespace fovea::fusion::match {

struct TeachingPlan {
  MatchPlan model;
  Index members = 2;
  Index groups = 800, pairs = 192;  ///< of a group at most; its patches do not overlap
  Index shift = 1;                  ///< S1's patch is moved by at most so many pixels
  Index epochs = 2, batch = 2;
  double learning_rate = 2e-3, decay = 0.05;
};

struct LearnedMatch {
  MatchModel model;
  std::vector<learning::TrainingReport> reports;
};

/// Throws DataError where no two patches teach.
LearnedMatch learn_match(const std::vector<PairScene>& scenes, const TeachingPlan& plan, const std::string& source,
                         const Random& random, Workbench& bench);

}  // namespace fovea::fusion::match
