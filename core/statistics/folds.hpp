#pragma once
/// Cross-validation by group: what belongs together is never both learned from and tested on.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {

/// The fold, in [0, folds), of each example. No group is in two folds. Largest group first, each goes where the fewest
/// examples are; groups of equal size come in a random order. The largest and the smallest fold differ by at most the
/// largest group. With classes, each goes where the fewest of its own classes are, relative to how many there are of
/// each in all (stratified).
/// groups   (N) any numbers: a user, a sensor, a jet; at least as many different ones as folds
/// folds    >= 2
/// classes  (N) any numbers; empty: not stratified
/// A function of its arguments alone. Throws ArgumentError.
std::vector<Index> group_folds(std::span<const Index> groups, Index folds, const Random& random,
                               std::span<const Index> classes = {});

/// The examples of one fold, and all others, ascending.
struct FoldSplit {
  std::vector<Index> training, validation;
};
FoldSplit split_of_fold(std::span<const Index> fold_of_example, Index fold);

}  // namespace fovea
