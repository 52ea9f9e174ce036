#pragma once
/// From the files that a config names, or a simulated panel, to cases.

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/nowcast/cases/settings.hpp"
#include "fovea/domains/nowcast/series/columns.hpp"

namespace fovea::nowcast {

/// How tested months are parted into folds.
enum class FoldsBy {
  time,     ///< blocks of test.refit months from test.first; months before teach alone
  episode,  ///< each recession with kAround months on both sides is a fold, whatever was known when
};
inline constexpr Index kAround = 24;

/// With ids, ends, targets, when these are known, folds, parts ("test" from test.start on, "validation" before), groups
/// (the nearest recession) and a reading. By episode a month that is near two recessions is there twice, each time with
/// half a weight. Throws DataError.
study::Cases economy_cases(const RecessionSettings& settings, FoldsBy folds);

/// Before a model learns: throws DataError that names the key where the files' months make too many blocks, or none
/// that has both kinds of labels to learn from.
void check_months(const RecessionSettings& settings, FoldsBy folds);

/// Columns of months from `first` on as they were known at the end of each: months x columns, NaN: not known then.
Matrix<double> columns_as_known(const RecessionSettings& settings, const std::vector<Column>& columns, Index first,
                                Index months);

}  // namespace fovea::nowcast
