#pragma once
/// Which cases a model learns from, which choose and calibrate it, and which examine it.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea::study {

inline constexpr Index kMostFolds = 20, kMostBlocks = 64;  ///< by group, in time

/// Numbers of cases, ascending. No group is in two of the first three, but for folds in time.
struct Split {
  std::vector<Index> training, validation, test;
  /// With folds: tested cases whose predictions out of fold calibrate and decide this one.
  std::vector<Index> calibration = {};
};

/// Keys split.validation and split.test: shares of the cases; split.folds: cross-validation (folds/folds.hpp), for
/// which split.validation is the share of those that a fold learns from, may be 0, and split.test has no effect;
/// split.method and split.embargo: what may teach a fold.
void declare_split(Schema& schema);
void check_split(const Config& config, Complaints& complaints);

/// By Cases::parts where the cases say so, else by group at random, classes spread evenly. Throws DataError that starts
/// with `source` for a group on two sides, a part without a name of the three, or a part without cases or known
/// targets.
Split split_cases(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& shares,
                  const Random& random);

/// Whether one of these cases (of all their tokens, where the target is one a token) has a known target.
bool has_target(const Cases& cases, const Target& target, const std::vector<Index>& items);

/// Of each case, for even parts: its class; empty where targets are numbers or one a token.
std::vector<Index> strata_of(const Cases& cases, const Target& target);

/// Throws DataError unless there are as many targets as the target's level asks for.
void check_target_count(const std::string& source, const Cases& cases, const Target& target);

}  // namespace fovea::study
