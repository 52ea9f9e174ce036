#pragma once
/// Boosted trees and a forest beside the members of an ensemble: each member's outputs are mixed with theirs.
///
///   output of member m = w_0 (its own) + sum_p w_p (output of the trees p),   w >= 0, sum of w = 1
///
/// (stacking, Wolpert 1992; Breiman 1996.) Trees split where networks are smooth, so together they err less than
/// either. The weights are those of least loss on cases that neither learned from: the validation part, or the
/// other folds; trees or attention that add nothing have weight 0 (stacking.hpp), and where the mixture has no
/// better main score there than its best part, that part answers alone. Where cases have times, trees are grown
/// twice: one lot learns from cases as they end, the other also from cases asked at an earlier time. At the end of
/// a case both answer alike; the first fades out over the last quarter of the record. What attention alone and the
/// trees alone predict is reported, too, and attention is what is explained.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/asked_times.hpp"
#include "fovea/core/study/trees/tree_settings.hpp"

namespace fovea::study {

/// Trees of one way of learning, and how they answer.
struct CompanionPart {
  bool boosted = true;                   ///< else a forest
  double weight = 0;                     ///< in the mixture; set by weigh() or trees.share
  bool at_times = false;                 ///< trees are there twice: of ends, then of any time
  std::vector<BoostedTrees> trees = {};  ///< of each answer; twice where at_times
};

/// Trained trees with what is needed to ask them.
struct Companion {
  SummarySettings columns;
  std::vector<CompanionPart> parts = {};
  double own() const;  ///< the weight of the members
};

/// The parts that the settings ask for, without their trees, in the order in which they are named.
std::vector<CompanionPart> parts_of(const TreeSettings& settings);
/// The parts with a weight, with which the mixture answers alike; none: the members answer alone.
std::optional<Companion> weighted_parts(const Companion& companion);
/// The names of the parts that the settings ask for, as predictors: "trees alone" where there is one.
std::vector<std::string> part_names(const Companion& companion);

/// Cases that trees learn from, and the scale in which a number is learned.
struct TreeTraining {
  const std::vector<Index>* items;
  TargetScale scale = {};
};

/// For each list of training cases the trees that learned from them; cases without a known target do not teach.
/// The same bits for any number of threads. Throws DataError that starts with
/// `source` where there would be too many columns, or one list has no case of one of two classes.
std::vector<Companion> companions(const std::string& source, const TreeSettings& settings, const Target& target,
                                  const Cases& cases, const std::vector<TreeTraining>& training, const Random& random);

/// Outputs of each part, as a model's: a row for each of these cases (and time, as outputs_of()), or of their tokens.
std::vector<Matrix<double>> outputs_of(const Companion& companion, const Target& target, const Cases& cases,
                                       std::span<const Index> items, std::span<const double> at = {});
/// As outputs_when(): each case at the times it is asked.
std::vector<Matrix<double>> outputs_when(const AskedTimes& asked, const Companion& companion, const Target& target,
                                         const Cases& cases);

/// Sets the weights: fixed ones, or those of least loss for the known of these targets, of which members and trees had
/// these outputs and did not learn.
void weigh(Companion& companion, const TreeSettings& settings, const Target& target,
           const std::vector<Matrix<double>>& of_members, const std::vector<Matrix<double>>& of_trees,
           std::span<const double> targets);

/// Mixes them into the outputs of each member, which have the same rows; into these rows alone, where some are given.
void mix(std::vector<Matrix<double>>& outputs, const std::vector<Matrix<double>>& of_trees, const Companion& companion,
         const std::vector<Index>* rows = nullptr);

}  // namespace fovea::study
