#pragma once
/// The keys trees.*: which trees are grown beside the members, and how they are mixed.

#include "fovea/core/config/config.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/trees/summary_columns.hpp"
#include "fovea/core/study/trees/tree_lesson.hpp"

namespace fovea::study {

enum class TreeMixing { stacked, fixed };

/// What the keys trees.* say.
struct TreeSettings {
  BoostingSettings boosting = {.rounds = 0};
  BaggingSettings bagging = {.trees = 0};
  TreeMixing mixing = TreeMixing::stacked;
  double share = 0.6;
  SummarySettings columns = {};
  double earliest = 0.1;
  bool any() const { return boosting.rounds > 0 || bagging.trees > 0; }
};
const Keys<TreeSettings>& tree_keys();
/// Complains where trees are asked for though the task takes none. refusal: why (LearnedTask::refuses_trees()); "": it
/// takes them.
void check_trees(const Config& config, const std::string& refusal, Complaints& complaints);

}  // namespace fovea::study
