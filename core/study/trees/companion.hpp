#pragma once
/// Boosted trees beside the members of an ensemble: each member's log odds are mixed with theirs.
///
///   log odds of member m = (1 - share) (its own) + share (mean of the trees' log odds)
///
/// (stacking with fixed weights, Wolpert 1992.) Trees split where networks are smooth, so together they err less than
/// either. There are two forests: one learns from cases as they end, the other also from cases asked at an earlier
/// time. At the end of a case both answer alike; the first fades out over the last quarter of the record. What
/// attention alone and trees alone predict is reported, too, and attention is what is explained.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/ensemble/asked_times.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/core/study/model/task.hpp"
#include "fovea/core/study/trees/boosted_trees.hpp"
#include "fovea/core/study/trees/summary_columns.hpp"

namespace fovea::study {

/// Trained trees with what is needed to ask them.
struct Companion {
  SummarySettings columns;
  double share = 0.6;
  std::vector<BoostedTrees> forests;
};

/// What the keys trees.* say.
struct TreeSettings {
  BoostingSettings boosting = {.rounds = 0};
  double share = Companion{}.share;
  SummarySettings columns = {};
  double earliest = 0.1;
  bool any() const { return boosting.rounds > 0; }
};
const Keys<TreeSettings>& tree_keys();
void check_trees(const Config& config, const Target& target, Complaints& complaints);

/// For each list of training cases the trees that learned from them; cases without a known target do not teach.
/// A target is one a case, of two classes. The same bits for any number of threads. Throws DataError that starts with
/// `source` where there would be too many columns, or one list has no case of one class.
std::vector<Companion> companions(const std::string& source, const TreeSettings& settings, const Cases& cases,
                                  const std::vector<std::vector<Index>>& training, const Random& random);

/// The same within a series of trainings, by twos, named PREFIXtrees_1, ...: a run that goes on grows none anew.
/// preparations: of each list, whose classes and features are those of the cases.
std::vector<Companion> kept_companions(const std::string& prefix, const std::string& source,
                                       const TreeSettings& settings, const Cases& cases,
                                       const std::vector<std::vector<Index>>& training,
                                       const std::vector<const Preparation*>& preparations, const Random& random,
                                       learning::TrainingSeries& trainings);

/// Log odds: a row for each of these cases (and time, as outputs_of()).
Matrix<double> outputs_of(const Companion& companion, const Cases& cases, std::span<const Index> items,
                          std::span<const double> at = {});
/// As outputs_when(): each case at the times it is asked.
Matrix<double> outputs_when(const AskedTimes& asked, const Companion& companion, const Cases& cases);

/// Mixes them into the outputs of each member, which have the same rows.
void mix(std::vector<Matrix<double>>& outputs, const Matrix<double>& of_trees, double share);

/// Their arrays, as part of model.h5; "PREFIXforest_1_root", ...
void add_companion(Dataset& data, const Companion& companion, const std::string& prefix = "");
/// The trees of a file of unknown origin; settings: of its config.
Companion read_companion(ModelVariables& file, const Dataset& data, const TreeSettings& settings,
                         const Preparation& preparation, const std::string& prefix = "");

}  // namespace fovea::study
