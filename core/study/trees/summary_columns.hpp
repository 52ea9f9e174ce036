#pragma once
/// What the tokens of a case amount to, class by class, as the columns of a table: for models that need one.
///
/// Of each class (of all tokens, where they have no classes): log(1 + tokens), the age of the last one, and
/// log(sum 2^(-age / tau)) for each half-life tau. Of each feature within the class: its last, first, smallest and
/// largest value, mean, standard deviation, the mean with weights 2^(-age / tau) for each tau, mean, smallest and
/// largest value of the recent tokens; then how it changes: last less first, last less mean, mean of the recent tokens
/// less that of the earlier ones, and slope by least squares. The last column is the time at which the case is asked.
/// Ages count from there; later tokens do not exist. What is not known is NaN.

#include <span>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::study {

struct SummarySettings {
  std::vector<double> half_lives{2, 8, 24};  ///< > 0, in the unit of the times
  double recent = 24;                        ///< age up to which a token is recent, > 0
};

/// Columns for so many classes (0: tokens have none) and features; without times those of ages are NaN.
Index summary_width(Index classes, Index features, const SummarySettings& settings);

/// A row for each of these cases; with `at` a row for each case and time, the times of a case side by side; without, a
/// case is asked at its end (Cases::ends, else the time of its last token). A row depends on its case and time alone.
Matrix<float> summary_columns(const Cases& cases, std::span<const Index> items, std::span<const double> at,
                              const SummarySettings& settings);

}  // namespace fovea::study
