#pragma once
/// The same question asked of a changed model or of changed records, on the same folds, and how far the answers differ.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

/// AUROC, average precision and the Brier score, of which less is better.
inline const std::vector<std::string> kMeasures{"AUROC", "average precision", "Brier score"};

/// A measure of risks when each row counts as often as it is drawn. which: of kMeasures. What is given must outlive it.
using Measure = std::function<double(std::span<const Index> rows)>;
Measure measure_of(std::size_t which, const std::vector<double>& risks, const std::vector<Index>& outcomes);

/// Keys of the config that differ.
using Changes = std::vector<std::pair<std::string, ConfigValue>>;

/// Cross-validates the task on the folds of the outcome, with its config but for these changes. cases: those of the
/// outcome, changed. name: of the variant among those of the run, which goes on where it was stopped.
study::CrossValidation cross_validated_variant(const std::string& name, const study::LearnedTask& task,
                                               const study::StudyOutcome& outcome, const study::Cases& cases,
                                               const Changes& changes, const Random& random);
/// How many trainings one variant takes with so many folds (split.folds) and members.
Index trainings_of_variant(Index folds, Index members);

/// The cases whose outcome is known.
struct KnownCases {
  std::vector<Index> items, outcomes, groups;
  Index count() const { return static_cast<Index>(items.size()); }
};
KnownCases known_cases(const study::StudyOutcome& outcome);

}  // namespace fovea::ehr::risk
