#pragma once
/// The rows that trees learn from and are asked about: one a case, or one a token, as the target's level has it.
///
/// Of a case: summary_columns(). Of a token: the summary of its case at the token's own time, in which later tokens do
/// not exist (without times that of the whole case), then the token's own values and, where tokens have classes, the
/// number of its class.

#include <span>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target.hpp"
#include "fovea/core/study/trees/summary_columns.hpp"

namespace fovea::study {

/// Columns of a row for so many classes (0: tokens have none) and features.
Index tree_columns(const Target& target, Index classes, Index features, const SummarySettings& settings);

/// A row for each of these target_rows(): cases, or tokens by their number among all. at: of cases, as of
/// summary_columns(); tokens are asked at their own time. A row depends on its case, or token, and time alone.
Matrix<float> tree_rows(const Target& target, const Cases& cases, std::span<const Index> places,
                        std::span<const double> at, const SummarySettings& settings);

}  // namespace fovea::study
