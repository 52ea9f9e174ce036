#pragma once
/// Cross-validation: each case is tested once, by a model that learned from the other folds, and a final model learns
/// from all cases. Its quality is estimated by the folds (Hastie, Tibshirani & Friedman 2009, section 7.10). With
/// split.method = "time" folds are blocks in time (folds/blocks.hpp). Cases of the fold kNeverTested only teach.

#include <string>
#include <vector>

#include "fovea/core/study/cases/split.hpp"

namespace fovea::study {

/// Whether there should be folds (split.folds >= 2, or split.method = "time"), or the cases name them.
bool has_folds(const SplitSettings& wanted, const Cases& cases);

/// The fold of each case, from 0: those that the cases name, in the order of their numbers, else split.folds of them
/// drawn by group, classes spread evenly, or in time. Throws DataError that starts with `source` for fewer than 2 or
/// more than kMostFolds folds (in time: kMostBlocks), and another number of them than split.folds says; by group for a
/// group in two folds, fewer groups than folds, an embargo around drawn folds, and a fold without known targets, or for
/// classes without known targets of at least two classes; in time as drawn_blocks() and check_blocks().
std::vector<Index> folds_of(const std::string& source, const Cases& cases, const Target& target,
                            const SplitSettings& wanted, const Random& random);

/// Of fold f: test is the fold, validation the share split.validation of the others, drawn by group (it may be 0), and
/// training the rest. Where split.embargo is above 0, others that are asked between the fold's first time less the
/// embargo and its last time plus the embargo neither teach nor calibrate. Of a fold that nobody has (such as the
/// number of folds): all cases for training and validation, no test. Throws DataError where the others are one group,
/// which cannot be parted. In time: split_of_block().
Split split_of_fold(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                    const std::vector<Index>& fold_of_case, Index fold, const Random& random);

}  // namespace fovea::study
