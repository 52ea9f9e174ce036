#include "fovea/core/study/trees/tree_settings.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::study {

const Keys<TreeSettings>& tree_keys() {
  using Boosting = BoostingSettings;
  constexpr auto kBoosting = &TreeSettings::boosting;
  constexpr auto kColumns = &TreeSettings::columns;
  static const auto keys =
      Keys<TreeSettings>()
          .key("trees.rounds", inside(kBoosting, &Boosting::rounds), Range::between(0, 10'000), "",
               "rounds of boosted trees that are mixed with the attention model; 0: none")
          .added_later()
          .key("trees.forest", inside(&TreeSettings::bagging, &BaggingSettings::trees), Range::between(0, 10'000), "",
               "trees of a random forest that is mixed with the attention model; 0: none")
          .added_later()
          .choice(
              "trees.mixing", &TreeSettings::mixing, {{"stacked", TreeMixing::stacked}, {"fixed", TreeMixing::fixed}},
              "weights of attention and trees: of least loss on the validation part or on other folds; or trees.share")
          .added_later()
          .key("trees.share", &TreeSettings::share, Range::between(0, 1), "",
               "weight of the trees where trees.mixing = \"fixed\", or where no case is left to choose weights on")
          .added_later()
          .key("trees.learning_rate", inside(kBoosting, &Boosting::learning_rate), Range::between(1e-4, 1), "",
               "learning rate of the boosting")
          .added_later()
          .key("trees.leaves", inside(kBoosting, &Boosting::leaves), Range::between(2, 1024), "",
               "most leaves of a tree")
          .added_later()
          .key("trees.half_lives", inside(kColumns, &SummarySettings::half_lives), Range::positive(), "",
               "half-lives by which the means for the trees weight values by age, in the unit of the times")
          .added_later()
          .key("trees.recent", inside(kColumns, &SummarySettings::recent), Range::positive(), "",
               "values of at most this age count as recent, in the unit of the times")
          .added_later()
          .key("trees.earliest", &TreeSettings::earliest, Range::between(1e-3, 1), "",
               "earliest time of a training example of the trees of any time, as a share of the record")
          .added_later();
  return keys;
}

void check_trees(const Config& config, const std::string& refusal, Complaints& complaints) {
  const TreeSettings settings = tree_keys().read(config);
  if (refusal.empty()) return;
  if (settings.boosting.rounds > 0)
    complaints.add(config.source("trees.rounds"), concat("trees.rounds > 0: ", refusal, "; use trees.rounds = 0."));
  if (settings.bagging.trees > 0)
    complaints.add(config.source("trees.forest"), concat("trees.forest > 0: ", refusal, "; use trees.forest = 0."));
}

}  // namespace fovea::study
