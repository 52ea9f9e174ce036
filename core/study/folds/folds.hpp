#pragma once
/// Cross-validation: each case is tested once, by a model that learned from the other folds, and a final model learns
/// from all cases. Its quality is estimated by the folds (Hastie, Tibshirani & Friedman 2009, section 7.10).

#include <string>
#include <vector>

#include "fovea/core/study/cases/split.hpp"

namespace fovea::study {

/// Whether there should be folds (split.folds >= 2), or the cases name them.
bool has_folds(const SplitSettings& wanted, const Cases& cases);

/// The fold of each case, from 0: those that the cases name, in the order of their numbers, else split.folds of them
/// drawn by group, classes spread evenly. Throws DataError that starts with `source` for a group in two folds, fewer
/// than 2 or more than kMostFolds folds, another number of them than split.folds says, fewer groups than folds, and a
/// fold without known targets, or for classes without known targets of at least two classes.
std::vector<Index> folds_of(const std::string& source, const Cases& cases, const Target& target,
                            const SplitSettings& wanted, const Random& random);

/// Of fold f: test is the fold, validation the share split.validation of the others, drawn by group (it may be 0), and
/// training the rest. Of a fold that nobody has (such as the number of folds): all cases for training and validation,
/// no test. Throws DataError where the others are one group, which cannot be parted.
Split split_of_fold(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                    const std::vector<Index>& fold_of_case, Index fold, const Random& random);

}  // namespace fovea::study
