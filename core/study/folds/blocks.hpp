#pragma once
/// Folds in time: block after block, each tested by what was known before it began (Tashman 2000, rolling origin).
///
/// A block begins when the first of its cases is asked. It is taught by cases that were asked before its begin less
/// split.embargo and whose target is known by its begin (Cases::known), whether they are tested themselves or not; the
/// latest of them are for validation. Of the blocks before it those cases calibrate and decide it whose target is known
/// by its begin. A group may be in several blocks.

#include <string>
#include <vector>

#include "fovea/core/study/cases/split.hpp"

namespace fovea::study {

/// When each case is asked. Throws DataError that starts with `source` for one without a time. what: for what they are
/// needed.
std::vector<double> asked_times(const std::string& source, const Cases& cases, const std::string& what);

/// split.folds blocks with equal numbers of cases by the times at which they are asked, as far as cases of one time
/// keep together; those of the first stretch, of the same size, are never tested. Throws DataError where there are too
/// few times.
std::vector<Index> drawn_blocks(const std::string& source, const Cases& cases, Index count);

/// Throws DataError unless each block begins behind the one before it, and unless the tested cases have known targets
/// of two classes (of numbers: one).
void check_blocks(const std::string& source, const Cases& cases, const Target& target,
                  const std::vector<Index>& block_of_case);

/// Of a block; of the number of blocks: all cases with a known target, calibrated on all that were tested. Throws
/// DataError for a block whose training part lacks known targets of two classes (of numbers: one).
Split split_of_block(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                     const std::vector<Index>& block_of_case, Index block);

/// How many different known targets these cases have.
std::size_t different_targets(const Cases& cases, const Target& target, const std::vector<Index>& items);

/// How many of them must be there to learn from or to be calibrated by.
std::size_t least_targets(const Target& target);

}  // namespace fovea::study
